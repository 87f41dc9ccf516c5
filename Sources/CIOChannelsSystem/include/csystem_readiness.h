// What can be read from and written to a descriptor without waiting.

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
    CSYS_POLL_ONESHOT;

/// The events of a descriptor at this moment, among `events` and those that are always reported.
csys_result csys_poll_now(int fd, uint32_t events);

/// The bytes that a read would return (FIONREAD).
csys_result csys_readable_bytes(int fd);

/// The connections that wait to be accepted; `EINVAL` for anything but a listening TCP socket.
csys_result csys_waiting_connections(int fd);

/// Whether the descriptor is a socket of the type SOCK_STREAM.
bool csys_is_stream_socket(int fd);

/// Looks at the next byte of a socket without taking it: 1, or 0 at the end; `EAGAIN` for none.
csys_result csys_peek_byte(int fd);

/// An estimate of the bytes that a pipe or socket accepts at once.
csys_result csys_writable_bytes(int fd);

/// Duplicates a descriptor; the duplicate is closed by `exec`.
csys_result csys_duplicate_closing(int fd);

#endif
