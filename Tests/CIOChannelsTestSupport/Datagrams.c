#include "Datagrams.h"

#include <arpa/inet.h>
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
  struct sockaddr_in gone = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in own = gone;
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
