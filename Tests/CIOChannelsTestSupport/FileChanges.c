#define _GNU_SOURCE
#include "FileChanges.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int ct_exchange_names(const char *first, const char *second) {
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

int ct_splice_byte(const char *path) {
  int ends[2];
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || pipe2(ends, O_CLOEXEC) < 0) return -1;
  off_t end = lseek(file, 0, SEEK_END);
  int isDone = write(ends[1], "x", 1) == 1 && splice(ends[0], NULL, file, &end, 1, 0) == 1;
  close(ends[0]);
  close(ends[1]);
  close(file);
  return isDone ? 0 : -1;
}

int ct_write_through_mapping(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return -1;
  char *bytes = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED) return -1;
  bytes[0] ^= 1;
  int result = msync(bytes, 1, MS_SYNC);
  munmap(bytes, 1);
  return result;
}

int ct_set_no_dump(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  int flags = 0;
  if (file < 0 || ioctl(file, FS_IOC_GETFLAGS, &flags) < 0) return -1;
  flags |= FS_NODUMP_FL;
  int result = ioctl(file, FS_IOC_SETFLAGS, &flags);
  close(file);
  return result;
}
