// Groups: counts of work, which programs wait for.

#ifndef GCD_DISPATCH_GROUP_H
#define GCD_DISPATCH_GROUP_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/time.h>

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

/// Creates a group, which the caller releases.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_group_t dispatch_group_create(void)
    DISPATCH_SYMBOL(group_create) DISPATCH_NOTHROW;

/// Adds 1 to the count of a group, which is not freed until the count is 0 again.
DISPATCH_EXPORT void dispatch_group_enter(dispatch_group_t group)
    DISPATCH_SYMBOL(group_enter) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Takes 1 off the count of a group.
DISPATCH_EXPORT void dispatch_group_leave(dispatch_group_t group)
    DISPATCH_SYMBOL(group_leave) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Waits until the count of a group is 0, and returns 0; another value after the timeout.
DISPATCH_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout)
    DISPATCH_SYMBOL(group_wait) DISPATCH_NONNULL1;

/// Submits a function to a queue when the count of a group is 0, or at once if it is 0 already.
DISPATCH_EXPORT void dispatch_group_notify_f(dispatch_group_t group, dispatch_queue_t queue,
                                             void *_Nullable context, dispatch_function_t work)
    DISPATCH_SYMBOL(group_notify_f) DISPATCH_NONNULL1 DISPATCH_NONNULL2 DISPATCH_NONNULL4
    DISPATCH_NOTHROW;

/// Submits a function that counts in a group until it has run.
DISPATCH_EXPORT void dispatch_group_async_f(dispatch_group_t group, dispatch_queue_t queue,
                                            void *_Nullable context, dispatch_function_t work)
    DISPATCH_SYMBOL(group_async_f) DISPATCH_NONNULL1 DISPATCH_NONNULL2 DISPATCH_NONNULL4
    DISPATCH_NOTHROW;

#ifdef __BLOCKS__
/// Submits a block to a queue when the count of a group is 0, or at once if it is 0 already.
DISPATCH_EXPORT void dispatch_group_notify(dispatch_group_t group, dispatch_queue_t queue,
                                           dispatch_block_t block)
    DISPATCH_SYMBOL(group_notify) DISPATCH_NOTHROW;

/// Submits a block that counts in a group until it has run.
DISPATCH_EXPORT void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue,
                                          dispatch_block_t block)
    DISPATCH_SYMBOL(group_async) DISPATCH_NOTHROW;
#endif

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
