// Functions and constants that liburing 2.3 lacks.

#ifndef CSYSTEM_RING_H
#define CSYSTEM_RING_H

#include "csystem_result.h"

/// The feature of a ring that a wait can end with fewer completions after a time (Linux 6.12).
static const uint32_t CSYS_RING_HAS_PATIENCE = 1u << 15;

/// The feature of a ring that a wait need not count as a wait for I/O (Linux 6.15).
static const uint32_t CSYS_RING_CAN_WAIT_IDLE = 1u << 17;

/// The flag for a wait that does not count as a wait for I/O.
static const uint32_t CSYS_RING_WAITS_IDLE = 1u << 7;

/// Submits the entries up to `prepared` with one system call; `flags` are `IORING_ENTER_…`. It
/// waits for `wanted` completions until the timeout; a negative timeout has no limit. After
/// `patience` microseconds one completion is enough, if the ring has that feature.
csys_result csys_ring_enter(
    int ring, const uint32_t *head, uint32_t *tail, uint32_t prepared, uint32_t wanted,
    uint32_t flags, int64_t nanoseconds, uint32_t patience);

/// Lets the calling thread use a ring that was created disabled. liburing exports no such function.
csys_result csys_ring_enable(int ring);

#endif
