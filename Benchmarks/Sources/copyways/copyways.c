// Copies one file in pieces and prints how many seconds that took.
//
//   copyways WAY PIECE SOURCE DESTINATION
//
// WAY is `buffer`, read and write through one buffer of PIECE bytes, or `kernel`, copy_file_range in
// steps of PIECE bytes.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
  fprintf(stderr, "copyways: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void write_all(int file, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0) fail("write");
    bytes += written;
    count -= written;
  }
}

static void copy_by_buffer(int source, int copy, size_t piece) {
  char *buffer = malloc(piece);
  if (!buffer) fail("memory");
  ssize_t count;
  while ((count = read(source, buffer, piece)) > 0) write_all(copy, buffer, count);
  if (count < 0) fail("read");
  free(buffer);
}

static void copy_in_kernel(int source, int copy, size_t piece) {
  ssize_t count;
  while ((count = copy_file_range(source, NULL, copy, NULL, piece, 0)) > 0) {}
  if (count < 0) fail("copy_file_range");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 5) {
    fputs("usage: copyways buffer|kernel PIECE SOURCE DESTINATION\n", stderr);
    return 2;
  }
  size_t piece = strtoul(arguments[2], NULL, 10);
  double start = now();
  int source = open(arguments[3], O_RDONLY | O_CLOEXEC);
  if (source < 0) fail(arguments[3]);
  int copy = open(arguments[4], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (copy < 0) fail(arguments[4]);
  if (strcmp(arguments[1], "kernel") == 0) {
    copy_in_kernel(source, copy, piece);
  } else {
    copy_by_buffer(source, copy, piece);
  }
  if (close(copy) < 0) fail("close");
  printf("%.9f\n", now() - start);
  return 0;
}
