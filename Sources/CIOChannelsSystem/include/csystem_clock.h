// Clocks, and descriptors that become readable at a point in time.

#ifndef CSYSTEM_CLOCK_H
#define CSYSTEM_CLOCK_H

#include "csystem_result.h"

extern const int32_t
    CSYS_CLOCK_MONOTONIC,
    CSYS_CLOCK_BOOTTIME,
    CSYS_CLOCK_REALTIME,
    CSYS_CLOCK_PROCESS_CPUTIME_ID;

/// Returns the nanoseconds since the clock's start.
csys_result csys_clock(int32_t clock);

csys_result csys_timerfd(int32_t clock);

/// Makes the descriptor readable at a time of its clock; 0 and less stand for never.
///
/// The time is absolute: it follows when the clock is set.
csys_result csys_timerfd_set(int fd, int64_t nanoseconds);

#endif
