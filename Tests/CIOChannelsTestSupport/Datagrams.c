#include "Datagrams.h"

#include <arpa/inet.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int bound_at(struct sockaddr_in *address) {
  socklen_t size = sizeof *address;
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)address, size) == 0 &&
      getsockname(fd, (struct sockaddr *)address, &size) == 0)
    return fd;
  close(fd);
  return -1;
}

static int connected_to(const struct sockaddr_in *address, int fd) {
  if (fd < 0) return -1;
  if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0) return fd;
  close(fd);
  return -1;
}

int ct_datagrams_to_nobody(void) {
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  // Another test may get the number of a port that was closed, but at the usual address.
  struct sockaddr_in gone = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f090909)};
  int former = bound_at(&gone);
  int fd = bound_at(&own);
  close(former);
  return connected_to(&gone, fd);
}

int ct_datagram_peer(int fd) {
  struct sockaddr_in own, peer;
  socklen_t size = sizeof own;
  if (getsockname(fd, (struct sockaddr *)&own, &size) < 0) return -1;
  size = sizeof peer;
  if (getpeername(fd, (struct sockaddr *)&peer, &size) < 0) return -1;
  return connected_to(&own, bound_at(&peer));
}

int ct_record_send_times(int fd) {
  int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags);
}

int ct_record_refusals(int fd) {
  int on = 1;
  return setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
}

int ct_take_error_messages(int fd) {
  char bytes[512], control[512];
  int count = 0;
  for (;;) {
    struct iovec place = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1,
                             .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return count;
    count += 1;
  }
}
