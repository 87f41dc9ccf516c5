// Reads, writes and waiting.

#ifndef CSYSTEM_TRANSFER_H
#define CSYSTEM_TRANSFER_H

#include "csystem_result.h"

#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

static const int32_t
    CSYS_O_APPEND = O_APPEND,
    CSYS_O_NONBLOCK = O_NONBLOCK,
    CSYS_O_DIRECT = O_DIRECT,
    CSYS_RWF_NOWAIT = RWF_NOWAIT,
    CSYS_EPOLL_CTL_ADD = EPOLL_CTL_ADD,
    CSYS_EPOLL_CTL_DEL = EPOLL_CTL_DEL,
    CSYS_SEEK_SET = SEEK_SET,
    CSYS_SEEK_CUR = SEEK_CUR;

static const uint32_t CSYS_EPOLLIN = EPOLLIN, CSYS_EPOLLOUT = EPOLLOUT;

static inline csys_result csys_close(int fd) { return csys_answer(close(fd)); }

static inline csys_result csys_read(int fd, void *bytes, size_t count) {
  return csys_answer(read(fd, bytes, count));
}

static inline csys_result csys_write(int fd, const void *bytes, size_t count) {
  return csys_answer(write(fd, bytes, count));
}

static inline csys_result csys_pread(int fd, void *bytes, size_t count, int64_t offset) {
  return csys_answer(pread(fd, bytes, count, offset));
}

static inline csys_result csys_pwrite(int fd, const void *bytes, size_t count, int64_t offset) {
  return csys_answer(pwrite(fd, bytes, count, offset));
}

/// `offset` -1 stands for the file position; `flags` are `RWF_…`.
static inline csys_result csys_preadv2(
    int fd, const struct iovec *vectors, int count, int64_t offset, int flags) {
  return csys_answer(preadv2(fd, vectors, count, offset, flags));
}

/// `offset` -1 stands for the file position; `flags` are `RWF_…`.
static inline csys_result csys_pwritev2(
    int fd, const struct iovec *vectors, int count, int64_t offset, int flags) {
  return csys_answer(pwritev2(fd, vectors, count, offset, flags));
}

static inline csys_result csys_lseek(int fd, int64_t offset, int whence) {
  return csys_answer(lseek(fd, offset, whence));
}

static inline csys_result csys_fcntl_getfl(int fd) { return csys_answer(fcntl(fd, F_GETFL)); }

static inline csys_result csys_duplicate(int fd) {
  return csys_answer(fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

static inline csys_result csys_eventfd(void) {
  return csys_answer(eventfd(0, EFD_CLOEXEC));
}

static inline csys_result csys_eventfd_add(int fd, uint64_t count) {
  return csys_answer(write(fd, &count, sizeof count));
}

static inline csys_result csys_eventfd_take(int fd) {
  uint64_t count;
  return csys_answer(read(fd, &count, sizeof count));
}

static inline csys_result csys_epoll_create(void) {
  return csys_answer(epoll_create1(EPOLL_CLOEXEC));
}

/// `operation` is `EPOLL_CTL_…`; `token` comes back with the event.
static inline csys_result csys_epoll_ctl(
    int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.u64 = token;
  return csys_answer(epoll_ctl(epoll, operation, fd, &event));
}

/// One event of an epoll descriptor, by value.
typedef struct {
  uint64_t token;
  uint32_t events;
  int32_t error;
  int32_t count;
} csys_epoll_answer;

/// Waits for one event; `count` is 0 when the time is up.
static inline csys_epoll_answer csys_epoll_wait(int epoll, int milliseconds) {
  struct epoll_event event;
  csys_epoll_answer answer = {0, 0, 0, 0};
  int count = epoll_wait(epoll, &event, 1, milliseconds);
  if (count < 0) {
    answer.error = errno;
  } else if (count == 1) {
    answer.count = 1;
    answer.token = event.data.u64;
    answer.events = event.events;
  }
  return answer;
}

/// The mode of an open file, its type among the bits.
static inline csys_result csys_fstat_mode(int fd) {
  struct stat information;
  if (fstat(fd, &information) < 0) return csys_answer(-1);
  return csys_answer((int64_t)information.st_mode);
}

/// The magic number of the file system that holds the descriptor's file.
static inline csys_result csys_file_system_type(int fd) {
  struct statfs information;
  if (fstatfs(fd, &information) < 0) return csys_answer(-1);
  return csys_answer((int64_t)(uint32_t)information.f_type);
}

/// Writes the text of an error number into `text` and returns its length.
static inline size_t csys_error_text(int error, char *text, size_t capacity) {
  const char *found = strerrordesc_np(error);
  if (found == NULL) return 0;
  size_t length = strlen(found);
  if (length > capacity) length = capacity;
  memcpy(text, found, length);
  return length;
}

#endif
