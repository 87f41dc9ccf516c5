// Points in time.

#ifndef GCD_DISPATCH_TIME_H
#define GCD_DISPATCH_TIME_H

#include <dispatch/base.h>

#undef NSEC_PER_SEC
#undef NSEC_PER_MSEC
#undef NSEC_PER_USEC
#undef USEC_PER_SEC
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define USEC_PER_SEC 1000000ull

struct timespec;

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

/// A point in time of the monotonic clock or of the wall clock.
typedef uint64_t dispatch_time_t;

#define DISPATCH_TIME_NOW (0ull)
#define DISPATCH_TIME_FOREVER (~0ull)
/// The current time of the wall clock, for `dispatch_time`.
#define DISPATCH_WALLTIME_NOW (~1ull)

/// Returns a time that is `delta` nanoseconds after `when`, on the clock of `when`.
///
/// The monotonic clock, that of `DISPATCH_TIME_NOW`, stands still while the system sleeps.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_time_t dispatch_time(dispatch_time_t when,
                                                                   int64_t delta)
    DISPATCH_SYMBOL(time) DISPATCH_NOTHROW;

/// Returns a time of the wall clock that is `delta` nanoseconds after `when`.
///
/// NULL is the current time.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_time_t
dispatch_walltime(const struct timespec *_Nullable when, int64_t delta)
    DISPATCH_SYMBOL(walltime) DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
