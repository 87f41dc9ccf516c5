#include "csystem_answer.h"
#include "csystem_quiet.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

// Headers before Linux 6.18 lack the flag.
enum { csys_rwf_nosignal = 0x100 };

static sigset_t csys_broken_pipe(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

csys_result csys_pwritev2_blocking_signal(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags) {
  struct msghdr message = {.msg_iov = (struct iovec *)vectors, .msg_iovlen = count};
  int how = MSG_NOSIGNAL | (flags & RWF_NOWAIT ? MSG_DONTWAIT : 0);
  csys_result sent = csys_answer(sendmsg(fd, &message, how));
  if (sent.error != ENOTSOCK) return sent;

  sigset_t set = csys_broken_pipe(), own, pending;
  // A pending signal is blocked already, and this function must not take it.
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  if (!was_pending) pthread_sigmask(SIG_BLOCK, &set, &own);
  csys_result written = csys_pwritev2(fd, vectors, count, offset, flags);
  if (was_pending) return written;
  // A write that the closing of the reader cuts short raises the signal, too.
  if (written.error != EAGAIN) {
    const struct timespec now = {0, 0};
    while (sigtimedwait(&set, NULL, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &own, NULL);
  return written;
}

csys_result csys_pwritev2_quiet(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags) {
  csys_result written = csys_pwritev2(fd, vectors, count, offset, flags | csys_rwf_nosignal);
  // Older kernels do not support the flag, and some files support no flags.
  if (written.error != EOPNOTSUPP) return written;
  return csys_pwritev2_blocking_signal(fd, vectors, count, offset, flags);
}
