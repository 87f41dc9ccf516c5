// Functions that Dispatch has without public declarations, and that test programs call.

#ifndef GCD_DISPATCH_PRIVATE_H
#define GCD_DISPATCH_PRIVATE_H

#include <dispatch/dispatch.h>

/// The flag of a global queue of the default class or a higher one, whose every item gets a thread
/// of its own, up to 255.
#define DISPATCH_QUEUE_OVERCOMMIT 0x2ull

/// Ignored; kept for source compatibility with Dispatch.
#define DISPATCH_TIMER_BACKGROUND 0x2

#define DISPATCH_QUEUE_WIDTH_ACTIVE_CPUS (-1)
#define DISPATCH_QUEUE_WIDTH_MAX_PHYSICAL_CPUS (-2)
#define DISPATCH_QUEUE_WIDTH_MAX_LOGICAL_CPUS (-3)

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

/// Makes a queue serial with a width of 0 or 1, and concurrent with any other, which is no bound.
DISPATCH_EXPORT void dispatch_queue_set_width(dispatch_queue_t queue, long width)
    DISPATCH_SYMBOL(queue_set_width) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
