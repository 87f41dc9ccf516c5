// Sockets that keep message boundaries, and connections to sockets with a path.

#ifndef CSYSTEM_PORT_H
#define CSYSTEM_PORT_H

#include "csystem_result.h"

#include <stddef.h>

/// Two descriptors, or the error number when `error` is not 0.
typedef struct {
  int32_t first, second, error;
} csys_pair;

/// Creates a connected pair of message sockets (SOCK_SEQPACKET) with close-on-exec.
csys_pair csys_message_sockets(void);

/// Sends one message or bytes without blocking and without SIGPIPE.
csys_result csys_send(int fd, const void *bytes, size_t count);

/// Receives one message without blocking; bytes that do not fit are dropped.
csys_result csys_receive(int fd, void *bytes, size_t count);

/// Returns the length of the next message, which stays in the socket.
csys_result csys_next_message_length(int fd);

/// Creates a non-blocking stream socket with close-on-exec for `csys_connect`.
csys_result csys_stream_socket(void);

/// Ends the sending direction of a connected socket.
csys_result csys_shutdown_writing(int fd);

/// Connects to the socket at a path.
csys_result csys_connect(int fd, const char *path);

#endif
