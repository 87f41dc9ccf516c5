#include "csystem_answer.h"
#include "csystem_transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(csys_vector) == sizeof(struct iovec), "csys_vector is an iovec");

const int32_t
    CSYS_O_APPEND = O_APPEND,
    CSYS_O_NONBLOCK = O_NONBLOCK,
    CSYS_O_DIRECT = O_DIRECT,
    CSYS_RWF_NOWAIT = RWF_NOWAIT,
    // Headers before Linux 6.14 lack the flag.
    CSYS_RWF_DONTCACHE = 0x80,
    CSYS_EPOLL_CTL_ADD = EPOLL_CTL_ADD,
    CSYS_EPOLL_CTL_MOD = EPOLL_CTL_MOD,
    CSYS_EPOLL_CTL_DEL = EPOLL_CTL_DEL,
    CSYS_SEEK_SET = SEEK_SET,
    CSYS_SEEK_CUR = SEEK_CUR;

const uint32_t CSYS_EPOLLIN = EPOLLIN, CSYS_EPOLLOUT = EPOLLOUT,
               CSYS_EPOLLONESHOT = EPOLLONESHOT;

static int64_t csys_copy(const char *found, char *text, size_t capacity) {
  if (found == NULL) return -1;
  size_t length = strlen(found);
  memcpy(text, found, length < capacity ? length : capacity);
  return (int64_t)length;
}

int64_t csys_environment(const char *name, char *text, size_t capacity) {
  return csys_copy(getenv(name), text, capacity);
}

int64_t csys_secure_environment(const char *name, char *text, size_t capacity) {
  return csys_copy(secure_getenv(name), text, capacity);
}

// The functions of the C library also prepare for the cancellation of threads, of which this
// package has none. The sanitizers see only those functions.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define CSYS_CALL(name, ...) name(__VA_ARGS__)
#else
#define CSYS_CALL(name, ...) syscall(SYS_##name, __VA_ARGS__)
#endif

csys_result csys_close(int fd) { return csys_answer(CSYS_CALL(close, fd)); }

csys_result csys_read(int fd, void *bytes, size_t count) {
  return csys_answer(CSYS_CALL(read, fd, bytes, count));
}

csys_result csys_write(int fd, const void *bytes, size_t count) {
  return csys_answer(CSYS_CALL(write, fd, bytes, count));
}

csys_result csys_pread(int fd, void *bytes, size_t count, int64_t offset) {
  return csys_answer(pread(fd, bytes, count, offset));
}

csys_result csys_pwrite(int fd, const void *bytes, size_t count, int64_t offset) {
  return csys_answer(pwrite(fd, bytes, count, offset));
}

csys_result csys_unwritten_pages(int fd, uint64_t offset, uint64_t length) {
  // Headers before Linux 6.5 lack the number, which is the same everywhere, and these structures.
  struct {
    uint64_t offset, length;
  } range = {offset, length};
  struct {
    uint64_t cached, dirty, writeback, evicted, recently_evicted;
  } found = {0};
  if (syscall(451, fd, &range, &found, 0) < 0) return csys_answer(-1);
  return csys_answer((int64_t)(found.dirty + found.writeback));
}

csys_result csys_pipe_never_blocks(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return csys_answer(-1);
  char byte;
  struct iovec vector = {&byte, 1};
  // Nobody writes to the pipe: the read fails, and the error tells why.
  bool would_wait = preadv2(ends[0], &vector, 1, -1, RWF_NOWAIT) < 0 && errno == EAGAIN;
  close(ends[0]);
  close(ends[1]);
  return csys_answer(would_wait);
}

csys_result csys_preadv2(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags) {
  return csys_answer(preadv2(fd, (const struct iovec *)vectors, count, offset, flags));
}

csys_result csys_pwritev2(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags) {
  return csys_answer(pwritev2(fd, (const struct iovec *)vectors, count, offset, flags));
}

csys_result csys_lseek(int fd, int64_t offset, int whence) {
  return csys_answer(lseek(fd, offset, whence));
}

csys_result csys_fcntl_getfl(int fd) { return csys_answer(fcntl(fd, F_GETFL)); }

csys_result csys_fcntl_setfl(int fd, int flags) { return csys_answer(fcntl(fd, F_SETFL, flags)); }

csys_result csys_duplicate(int fd) {
  return csys_answer(fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

csys_result csys_eventfd(bool each) {
  return csys_answer(eventfd(0, EFD_CLOEXEC | (each ? EFD_SEMAPHORE : 0)));
}

csys_result csys_eventfd_add(int fd, uint64_t count) {
  return csys_answer(write(fd, &count, sizeof count));
}

csys_result csys_eventfd_take(int fd) {
  uint64_t count;
  return csys_answer(read(fd, &count, sizeof count));
}

csys_result csys_poll_readable(int fd) {
  struct pollfd entry = {fd, POLLIN, 0};
  return csys_answer(poll(&entry, 1, 0));
}

csys_result csys_epoll_create(void) {
  return csys_answer(epoll_create1(EPOLL_CLOEXEC));
}

csys_result csys_epoll_ctl(
    int epoll, int operation, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.u64 = token;
  return csys_answer(epoll_ctl(epoll, operation, fd, &event));
}

csys_epoll_answer csys_epoll_wait(int epoll, int milliseconds) {
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

csys_result csys_file_system_type(int fd) {
  struct statfs information;
  if (fstatfs(fd, &information) < 0) return csys_answer(-1);
  return csys_answer((int64_t)(uint32_t)information.f_type);
}

size_t csys_error_text(int error, char *text, size_t capacity) {
  const char *found = strerrordesc_np(error);
  if (found == NULL) return 0;
  size_t length = strlen(found);
  if (length > capacity) length = capacity;
  memcpy(text, found, length);
  return length;
}
