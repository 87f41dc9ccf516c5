// Reads, writes and waiting.

#ifndef CSYSTEM_TRANSFER_H
#define CSYSTEM_TRANSFER_H

#include "csystem_result.h"

#include <stdbool.h>
#include <stddef.h>

/// A region of memory for `readv` and `writev`.
typedef struct {
  void *bytes;
  size_t count;
} csys_vector;

extern const int32_t
    CSYS_O_APPEND,
    CSYS_O_NONBLOCK,
    CSYS_O_DIRECT,
    CSYS_RWF_NOWAIT,
    CSYS_RWF_DONTCACHE,
    CSYS_EPOLL_CTL_ADD,
    CSYS_EPOLL_CTL_MOD,
    CSYS_EPOLL_CTL_DEL,
    CSYS_SEEK_SET,
    CSYS_SEEK_CUR;

extern const uint32_t
    CSYS_EPOLLIN,
    CSYS_EPOLLOUT,
    CSYS_EPOLLONESHOT;

csys_result csys_close(int fd);

csys_result csys_read(int fd, void *bytes, size_t count);

csys_result csys_write(int fd, const void *bytes, size_t count);

csys_result csys_pread(int fd, void *bytes, size_t count, int64_t offset);

csys_result csys_pwrite(int fd, const void *bytes, size_t count, int64_t offset);

/// Returns the number of dirty pages in a part of a file; length 0 stands for everything behind the
/// offset.
csys_result csys_unwritten_pages(int fd, uint64_t offset, uint64_t length);

/// `offset` -1 stands for the file position; `flags` are `RWF_…`.
csys_result csys_preadv2(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

/// `offset` -1 stands for the file position; `flags` are `RWF_…`.
csys_result csys_pwritev2(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

/// Returns whether the kernel has transfers with anonymous pipes that never block (1) or not (0).
csys_result csys_pipe_never_blocks(void);

csys_result csys_lseek(int fd, int64_t offset, int whence);

csys_result csys_fcntl_getfl(int fd);

csys_result csys_fcntl_setfl(int fd, int flags);

csys_result csys_duplicate(int fd);

/// Creates an event descriptor; a read takes its complete counter, or 1 if `each` is set.
csys_result csys_eventfd(bool each);

csys_result csys_eventfd_add(int fd, uint64_t count);

csys_result csys_eventfd_take(int fd);

/// Returns without blocking whether a read would return at once (1), also with the end or an error,
/// or not (0).
csys_result csys_poll_readable(int fd);

csys_result csys_epoll_create(void);

/// `operation` is `EPOLL_CTL_…`; the event contains `token`.
csys_result csys_epoll_ctl(
    int epoll, int operation, int fd, uint32_t events, uint64_t token);

/// One event of an epoll descriptor, by value.
typedef struct {
  uint64_t token;
  uint32_t events;
  int32_t error;
  int32_t count;
} csys_epoll_answer;

/// Waits for one event; `count` is 0 after the timeout.
csys_epoll_answer csys_epoll_wait(int epoll, int milliseconds);

/// Returns the magic number of the file system that holds the descriptor's file.
csys_result csys_file_system_type(int fd);

/// Copies the value of an environment variable; returns its complete length, -1 if it is not set.
int64_t csys_environment(const char *name, char *text, size_t capacity);

/// Does the same, but finds no variable in a program with more rights than its user.
int64_t csys_secure_environment(const char *name, char *text, size_t capacity);

/// Writes the text of an error number into `text` and returns its length.
size_t csys_error_text(int error, char *text, size_t capacity);

#endif
