// The end of a process (pidfd), and the forks and execs of all processes (proc connector).

#ifndef CSYSTEM_OBSERVATION_H
#define CSYSTEM_OBSERVATION_H

#include <stddef.h>

#include "csystem_result.h"

/// Opens a descriptor of a process, which is readable once its last thread has ended.
csys_result csys_process_open(int32_t process);

/// Returns the wait status of a child that has ended, and leaves it to the next `waitpid`.
///
/// `ECHILD` for a process that is not a child or was waited for, `EAGAIN` for one that still runs.
csys_result csys_child_status(int fd);

/// Returns the wait status of a process that has been waited for, a child or not.
///
/// `ENODATA` until then, `ENOTTY` or `EINVAL` on kernels that do not keep it.
csys_result csys_ended_status(int fd);

/// Opens a non-blocking socket of the kernel's connector.
csys_result csys_connector_open(void);

/// Subscribes a connector's socket to the events of processes.
csys_result csys_connector_bind(int fd);

/// Sets the size of a socket's receive buffer, up to the system's limit.
csys_result csys_connector_room(int fd, int32_t bytes);

/// Sets the socket's filter.
///
/// An instruction is a number whose bits are those of the kernel's structure on a little-endian
/// machine: 16 of code, 8 of each jump, 32 of the constant.
csys_result csys_connector_filter(int fd, const uint64_t *instructions, size_t count);

/// Receives one message; returns 0 for a message that does not come from the kernel.
csys_result csys_connector_receive(int fd, void *bytes, size_t size);

#endif
