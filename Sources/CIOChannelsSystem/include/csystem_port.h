// Sockets that keep messages apart, and connections to sockets with a path.

#ifndef CSYSTEM_PORT_H
#define CSYSTEM_PORT_H

#include "csystem_result.h"

#include <stddef.h>

/// Two descriptors, or the error number when `error` is not 0.
typedef struct {
  int32_t first, second, error;
} csys_pair;

/// A connected pair of sockets for messages (SOCK_SEQPACKET); both are closed by `exec`.
csys_pair csys_message_sockets(void);

/// Sends one message or bytes without blocking and without SIGPIPE.
csys_result csys_send(int fd, const void *bytes, size_t count);

/// Receives one message without blocking; bytes that do not fit are dropped.
csys_result csys_receive(int fd, void *bytes, size_t count);

/// The length of the next message, which stays in the socket.
csys_result csys_next_message_length(int fd);

/// A socket of bytes for `csys_connect`, which does not block and is closed by `exec`.
csys_result csys_stream_socket(void);

/// Connects to the socket with a path.
csys_result csys_connect(int fd, const char *path);

#endif
