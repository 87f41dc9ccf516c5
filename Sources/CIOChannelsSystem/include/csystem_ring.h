// What liburing 2.3 lacks.

#ifndef CSYSTEM_RING_H
#define CSYSTEM_RING_H

#include "csystem_result.h"

/// The request that sets a file's length (Linux 6.9).
static const uint8_t CSYS_RING_TRUNCATE = 55;

/// What a ring says for which fewer answers are enough after a time (Linux 6.12).
static const uint32_t CSYS_RING_HAS_PATIENCE = 1u << 15;

/// What a ring says that can wait without counting as waiting for a disk (Linux 6.15).
static const uint32_t CSYS_RING_CAN_WAIT_IDLE = 1u << 17;

/// Waits without counting as waiting for a disk.
static const uint32_t CSYS_RING_WAITS_IDLE = 1u << 7;

/// Submits the entries up to `prepared` and enters the kernel once; `flags` are `IORING_ENTER_…`.
/// It waits for `wanted` answers so long at most, and without end for a negative number. After
/// `patience`, in microseconds, one answer is enough, where the ring says that it can do that.
csys_result csys_ring_enter(
    int ring, const uint32_t *head, uint32_t *tail, uint32_t prepared, uint32_t wanted,
    uint32_t flags, int64_t nanoseconds, uint32_t patience);

/// Lets the calling thread use a ring that was made disabled; the library's own call has no symbol.
csys_result csys_ring_enable(int ring);

#endif
