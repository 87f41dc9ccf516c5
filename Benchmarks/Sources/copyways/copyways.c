// Copies one file in pieces and prints how many seconds that took.
//
//   copyways WAY PIECE SOURCE DESTINATION
//
// WAY is `buffer`, read and write through one buffer of PIECE bytes; `holes`, the same where the file
// has data; `threads`, one that reads and one that writes with 16 buffers between them; or `kernel`,
// copy_file_range in steps of PIECE bytes.

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bare.h"

static void write_all(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0) err(1, "write");
    bytes += written;
    count -= written;
  }
}

static void copy_by_buffer(int source, int copy, size_t piece) {
  char *buffer = memory(piece);
  ssize_t count;
  while ((count = read(source, buffer, piece)) > 0) write_all(copy, buffer, count);
  if (count < 0) err(1, "read");
  free(buffer);
}

static void copy_data(int source, int copy, size_t piece) {
  char *buffer = memory(piece);
  off_t length = lseek(source, 0, SEEK_END), start = 0, end;
  while ((start = lseek(source, start, SEEK_DATA)) >= 0) {
    if ((end = lseek(source, start, SEEK_HOLE)) < 0) err(1, "SEEK_HOLE");
    if (lseek(source, start, SEEK_SET) < 0 || lseek(copy, start, SEEK_SET) < 0) err(1, "lseek");
    while (start < end) {
      size_t some = end - start < (off_t)piece ? (size_t)(end - start) : piece;
      ssize_t count = read(source, buffer, some);
      if (count <= 0) err(1, "read");
      write_all(copy, buffer, (size_t)count);
      start += count;
    }
  }
  if (errno != ENXIO) err(1, "SEEK_DATA");
  if (ftruncate(copy, length) < 0) err(1, "ftruncate");
  free(buffer);
}

enum { buffers = 16 };

static struct {
  int source;
  size_t piece;
  char *bytes[buffers];
  ssize_t counts[buffers];
  sem_t free, filled;
} line;

static void *read_pieces(void *unused) {
  ssize_t count = 1;
  for (size_t index = 0; count > 0; index++) {
    while (sem_wait(&line.free) != 0) {}
    count = line.counts[index % buffers] =
        read(line.source, line.bytes[index % buffers], line.piece);
    sem_post(&line.filled);
  }
  return unused;
}

static void copy_on_threads(int source, int copy, size_t piece) {
  line.source = source;
  line.piece = piece;
  for (int index = 0; index < buffers; index++) {
    if (posix_memalign((void **)&line.bytes[index], 4096, piece) != 0) err(1, "memory");
  }
  sem_init(&line.free, 0, buffers);
  sem_init(&line.filled, 0, 0);
  pthread_t reader;
  if (pthread_create(&reader, NULL, read_pieces, NULL) != 0) err(1, "thread");
  for (size_t index = 0;; index++) {
    while (sem_wait(&line.filled) != 0) {}
    ssize_t count = line.counts[index % buffers];
    if (count < 0) err(1, "read");
    if (count == 0) break;
    write_all(copy, line.bytes[index % buffers], (size_t)count);
    sem_post(&line.free);
  }
  pthread_join(reader, NULL);
}

static void copy_in_kernel(int source, int copy, size_t piece) {
  ssize_t count;
  while ((count = copy_file_range(source, NULL, copy, NULL, piece, 0)) > 0) {}
  if (count < 0) err(1, "copy_file_range");
}

int main(int count, char **arguments) {
  if (count != 5) {
    fputs("usage: copyways buffer|holes|threads|kernel PIECE SOURCE DESTINATION\n", stderr);
    return 2;
  }
  const char *way = arguments[1];
  size_t piece = strtoul(arguments[2], NULL, 10);
  double start = now(CLOCK_MONOTONIC);
  int source = open(arguments[3], O_RDONLY | O_CLOEXEC);
  if (source < 0) err(1, "%s", arguments[3]);
  int copy = open(arguments[4], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (copy < 0) err(1, "%s", arguments[4]);
  void (*copy_bytes)(int, int, size_t) = strcmp(way, "kernel") == 0    ? copy_in_kernel
                                         : strcmp(way, "holes") == 0   ? copy_data
                                         : strcmp(way, "threads") == 0 ? copy_on_threads
                                                                       : copy_by_buffer;
  copy_bytes(source, copy, piece);
  if (close(copy) < 0) err(1, "close");
  printf("%.9f\n", now(CLOCK_MONOTONIC) - start);
  return 0;
}
