#include "csystem_answer.h"
#include "csystem_port.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

csys_pair csys_message_sockets(void) {
  int ends[2] = {-1, -1};
  int kind = SOCK_SEQPACKET | SOCK_CLOEXEC;
  csys_result result = csys_answer(socketpair(AF_UNIX, kind, 0, ends));
  csys_pair pair = {ends[0], ends[1], result.error};
  return pair;
}

csys_result csys_send(int fd, const void *bytes, size_t count) {
  return csys_answer(send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT));
}

csys_result csys_receive(int fd, void *bytes, size_t count) {
  return csys_answer(recv(fd, bytes, count, MSG_DONTWAIT));
}

csys_result csys_next_message_length(int fd) {
  return csys_answer(recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT));
}

csys_result csys_stream_socket(void) {
  return csys_answer(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

csys_result csys_shutdown_writing(int fd) { return csys_answer(shutdown(fd, SHUT_WR)); }

csys_result csys_connect(int fd, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  csys_result too_long = {0, ENAMETOOLONG};
  if (strlen(path) >= sizeof address.sun_path) return too_long;
  strcpy(address.sun_path, path);
  return csys_answer(connect(fd, (const struct sockaddr *)&address, sizeof address));
}
