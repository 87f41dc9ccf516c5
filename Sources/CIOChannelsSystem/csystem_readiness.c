#include "csystem_answer.h"
#include "csystem_readiness.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/sockios.h>

// The bits of poll and epoll have the same values.
_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLRDHUP == EPOLLRDHUP, "epoll");

const uint32_t CSYS_POLL_IN = POLLIN, CSYS_POLL_PRI = POLLPRI, CSYS_POLL_OUT = POLLOUT,
               CSYS_POLL_ERR = POLLERR, CSYS_POLL_HUP = POLLHUP, CSYS_POLL_INVALID = POLLNVAL,
               CSYS_POLL_RDHUP = POLLRDHUP, CSYS_POLL_ONESHOT = EPOLLONESHOT,
               CSYS_POLL_EDGE = EPOLLET;

csys_result csys_poll_now(int fd, uint32_t events) {
  struct pollfd entry = {fd, (short)events, 0};
  if (poll(&entry, 1, 0) < 0) return csys_answer(-1);
  return csys_answer((uint16_t)entry.revents);
}

csys_result csys_readable_bytes(int fd) {
  int count = 0;
  if (ioctl(fd, FIONREAD, &count) < 0) return csys_answer(-1);
  csys_result result = {count, 0};
  return result;
}

csys_result csys_waiting_connections(int fd) {
  struct tcp_info information;
  socklen_t size = sizeof information;
  csys_result refusal = {0, EINVAL};
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &information, &size) < 0) return refusal;
  if (information.tcpi_state != TCP_LISTEN) return refusal;
  return csys_answer(information.tcpi_unacked);
}

bool csys_is_stream_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

csys_result csys_writable_bytes(int fd) {
  int queued = 0;
  int pipe_size = fcntl(fd, F_GETPIPE_SZ);
  if (pipe_size >= 0) {
    if (ioctl(fd, FIONREAD, &queued) < 0) return csys_answer(-1);
    csys_result result = {pipe_size - queued, 0};
    return result;
  }
  int buffer = 0;
  socklen_t size = sizeof buffer;
  if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, &size) < 0) return csys_answer(-1);
  if (ioctl(fd, SIOCOUTQ, &queued) < 0) return csys_answer(-1);
  csys_result result = {buffer - queued, 0};
  return result;
}

csys_result csys_duplicate_closing(int fd) { return csys_answer(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }
