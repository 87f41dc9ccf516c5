// Blocks that can be waited for, that can notify others, and that can be cancelled.

#ifndef GCD_DISPATCH_BLOCK_H
#define GCD_DISPATCH_BLOCK_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/queue.h>
#include <dispatch/time.h>

DISPATCH_BEGIN_HEADER

DISPATCH_ENUM(dispatch_block_flags, unsigned long,
              DISPATCH_BLOCK_BARRIER = 0x1,
              DISPATCH_BLOCK_DETACHED = 0x2,
              DISPATCH_BLOCK_ASSIGN_CURRENT = 0x4,
              DISPATCH_BLOCK_NO_QOS_CLASS = 0x8,
              DISPATCH_BLOCK_INHERIT_QOS_CLASS = 0x10,
              DISPATCH_BLOCK_ENFORCE_QOS_CLASS = 0x20);

#ifdef __BLOCKS__
DISPATCH_BEGIN_DECLS

/// Creates an item from a block. It is a block, which the caller releases with `Block_release`.
///
/// Unknown flags give NULL.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_block_t
dispatch_block_create(dispatch_block_flags_t flags, dispatch_block_t block)
    DISPATCH_SYMBOL(block_create) DISPATCH_NOTHROW;

/// Creates an item with a class of quality of service.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_block_t dispatch_block_create_with_qos_class(
    dispatch_block_flags_t flags, dispatch_qos_class_t qos_class, int relative_priority,
    dispatch_block_t block) DISPATCH_SYMBOL(block_create_with_qos_class) DISPATCH_NOTHROW;

/// Runs a block on the calling thread.
DISPATCH_EXPORT void dispatch_block_perform(dispatch_block_flags_t flags,
                                            DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(block_perform);

/// Waits until an item has run, and returns 0; another value after the timeout.
DISPATCH_EXPORT intptr_t dispatch_block_wait(dispatch_block_t block, dispatch_time_t timeout)
    DISPATCH_SYMBOL(block_wait);

/// Submits a block to a queue when an item has run, or at once if it has run already.
DISPATCH_EXPORT void dispatch_block_notify(dispatch_block_t block, dispatch_queue_t queue,
                                           dispatch_block_t notification_block)
    DISPATCH_SYMBOL(block_notify) DISPATCH_NOTHROW;

/// Prevents the runs of an item that have not started.
DISPATCH_EXPORT void dispatch_block_cancel(dispatch_block_t block)
    DISPATCH_SYMBOL(block_cancel) DISPATCH_NOTHROW;

/// Returns a value other than 0 if an item was cancelled.
DISPATCH_EXPORT DISPATCH_WARN_RESULT intptr_t dispatch_block_testcancel(dispatch_block_t block)
    DISPATCH_SYMBOL(block_testcancel) DISPATCH_NOTHROW;

DISPATCH_END_DECLS
#endif

DISPATCH_END_HEADER

#endif
