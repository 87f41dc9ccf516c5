// Semaphores.

#ifndef GCD_DISPATCH_SEMAPHORE_H
#define GCD_DISPATCH_SEMAPHORE_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/time.h>

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

/// Creates a semaphore, which the caller releases; NULL for a negative value.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_semaphore_t dispatch_semaphore_create(intptr_t value)
    DISPATCH_SYMBOL(semaphore_create) DISPATCH_NOTHROW;

/// Takes 1 off the value, which it waits for, and returns 0; another value after the timeout.
DISPATCH_EXPORT intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore,
                                                 dispatch_time_t timeout)
    DISPATCH_SYMBOL(semaphore_wait) DISPATCH_NONNULL1;

/// Adds 1 to the value, and returns a value other than 0 if a thread was woken.
DISPATCH_EXPORT intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore)
    DISPATCH_SYMBOL(semaphore_signal) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
