// Readiness of descriptors for reading and writing.

#ifndef CSYSTEM_READINESS_H
#define CSYSTEM_READINESS_H

#include "csystem_result.h"

#include <stdbool.h>

extern const uint32_t
    CSYS_POLL_IN,
    CSYS_POLL_PRI,
    CSYS_POLL_OUT,
    CSYS_POLL_ERR,
    CSYS_POLL_HUP,
    CSYS_POLL_INVALID,
    CSYS_POLL_RDHUP,
    CSYS_POLL_ONESHOT,
    CSYS_POLL_EDGE;

/// Returns the current events of the descriptor, among `events` and those that are always reported.
csys_result csys_poll_now(int fd, uint32_t events);

/// Returns the number of bytes that a read would return (FIONREAD).
csys_result csys_readable_bytes(int fd);

/// Returns the number of connections to accept; `EINVAL` unless it is a listening TCP socket.
csys_result csys_waiting_connections(int fd);

/// Whether the descriptor is a socket of the type SOCK_STREAM.
bool csys_is_stream_socket(int fd);

/// Returns an estimate of the bytes that a pipe or socket accepts without blocking.
csys_result csys_writable_bytes(int fd);

/// Duplicates a descriptor with close-on-exec.
csys_result csys_duplicate_closing(int fd);

#endif
