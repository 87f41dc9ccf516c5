// Queues: submission, creation, the main and the global queues, specific values.

#ifndef GCD_DISPATCH_QUEUE_H
#define GCD_DISPATCH_QUEUE_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/time.h>

DISPATCH_BEGIN_HEADER

DISPATCH_DECL_SUBCLASS(dispatch_queue_global, dispatch_queue);
DISPATCH_DECL_SUBCLASS(dispatch_queue_serial, dispatch_queue);
DISPATCH_DECL_SUBCLASS(dispatch_queue_main, dispatch_queue_serial);
DISPATCH_DECL_SUBCLASS(dispatch_queue_concurrent, dispatch_queue);
DISPATCH_DECL(dispatch_queue_attr);

// Priorities of the global queues.
#define DISPATCH_QUEUE_PRIORITY_HIGH 2
#define DISPATCH_QUEUE_PRIORITY_DEFAULT 0
#define DISPATCH_QUEUE_PRIORITY_LOW (-2)
#define DISPATCH_QUEUE_PRIORITY_BACKGROUND INT16_MIN
typedef long dispatch_queue_priority_t;

// Classes of quality of service.
#ifndef QOS_CLASS_USER_INTERACTIVE
#define QOS_CLASS_USER_INTERACTIVE 0x21
#define QOS_CLASS_USER_INITIATED 0x19
#define QOS_CLASS_DEFAULT 0x15
#define QOS_CLASS_UTILITY 0x11
#define QOS_CLASS_BACKGROUND 0x09
#define QOS_CLASS_UNSPECIFIED 0x00
#endif
#ifndef QOS_MIN_RELATIVE_PRIORITY
#define QOS_MIN_RELATIVE_PRIORITY (-15)
#endif
typedef unsigned int dispatch_qos_class_t;

// Attributes of a new queue: numbers in the place of pointers.
#define DISPATCH_QUEUE_SERIAL ((dispatch_queue_attr_t)0)
#define DISPATCH_QUEUE_CONCURRENT ((dispatch_queue_attr_t)(uintptr_t)0x2)
#define DISPATCH_QUEUE_SERIAL_INACTIVE                                                            \
  dispatch_queue_attr_make_initially_inactive(DISPATCH_QUEUE_SERIAL)
#define DISPATCH_QUEUE_CONCURRENT_INACTIVE                                                        \
  dispatch_queue_attr_make_initially_inactive(DISPATCH_QUEUE_CONCURRENT)
#define DISPATCH_QUEUE_SERIAL_WITH_AUTORELEASE_POOL                                               \
  dispatch_queue_attr_make_with_autorelease_frequency(DISPATCH_QUEUE_SERIAL,                      \
                                                      DISPATCH_AUTORELEASE_FREQUENCY_WORK_ITEM)
#define DISPATCH_QUEUE_CONCURRENT_WITH_AUTORELEASE_POOL                                           \
  dispatch_queue_attr_make_with_autorelease_frequency(DISPATCH_QUEUE_CONCURRENT,                  \
                                                      DISPATCH_AUTORELEASE_FREQUENCY_WORK_ITEM)
DISPATCH_ENUM(dispatch_autorelease_frequency, unsigned long,
              DISPATCH_AUTORELEASE_FREQUENCY_INHERIT = 0,
              DISPATCH_AUTORELEASE_FREQUENCY_WORK_ITEM = 1,
              DISPATCH_AUTORELEASE_FREQUENCY_NEVER = 2);

/// The default target of a queue.
#define DISPATCH_TARGET_QUEUE_DEFAULT ((dispatch_queue_t)0)
/// The current queue, for `dispatch_queue_get_label`.
#define DISPATCH_CURRENT_QUEUE_LABEL ((dispatch_queue_t)0)
/// The queue that suits the caller, for `dispatch_apply`.
#define DISPATCH_APPLY_AUTO ((dispatch_queue_t)0)
#define DISPATCH_APPLY_AUTO_AVAILABLE 1

DISPATCH_BEGIN_DECLS

/// Submits a function and returns at once.
DISPATCH_EXPORT void dispatch_async_f(dispatch_queue_t queue, void *_Nullable context,
                                      dispatch_function_t work)
    DISPATCH_SYMBOL(async_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3 DISPATCH_NOTHROW;

/// Submits a function and returns when it has run, on the calling thread where possible.
DISPATCH_EXPORT void dispatch_sync_f(dispatch_queue_t queue, void *_Nullable context,
                                     dispatch_function_t work)
    DISPATCH_SYMBOL(sync_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

/// Submits a function as if by `dispatch_async_f`, and returns when it has run.
DISPATCH_EXPORT void dispatch_async_and_wait_f(dispatch_queue_t queue, void *_Nullable context,
                                               dispatch_function_t work)
    DISPATCH_SYMBOL(async_and_wait_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

/// Submits a function as a barrier: alone on a concurrent queue.
DISPATCH_EXPORT void dispatch_barrier_async_f(dispatch_queue_t queue, void *_Nullable context,
                                              dispatch_function_t work)
    DISPATCH_SYMBOL(barrier_async_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3 DISPATCH_NOTHROW;

/// Submits a function as a barrier and returns when it has run.
DISPATCH_EXPORT void dispatch_barrier_sync_f(dispatch_queue_t queue, void *_Nullable context,
                                             dispatch_function_t work)
    DISPATCH_SYMBOL(barrier_sync_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

/// Submits a function as a barrier, as if by `dispatch_barrier_async_f`, and returns when it has
/// run.
DISPATCH_EXPORT void dispatch_barrier_async_and_wait_f(dispatch_queue_t queue,
                                                       void *_Nullable context,
                                                       dispatch_function_t work)
    DISPATCH_SYMBOL(barrier_async_and_wait_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

/// Calls a function for each number below `iterations`, and returns when all calls have returned.
DISPATCH_EXPORT void dispatch_apply_f(size_t iterations, dispatch_queue_t _Nullable queue,
                                      void *_Nullable context,
                                      void (*work)(void *_Nullable context, size_t iteration))
    DISPATCH_SYMBOL(apply_f) DISPATCH_NONNULL4;

/// Submits a function at a time, never before it.
DISPATCH_EXPORT void dispatch_after_f(dispatch_time_t when, dispatch_queue_t queue,
                                      void *_Nullable context, dispatch_function_t work)
    DISPATCH_SYMBOL(after_f) DISPATCH_NONNULL2 DISPATCH_NONNULL4 DISPATCH_NOTHROW;

#ifdef __BLOCKS__
/// Submits a block and returns at once.
DISPATCH_EXPORT void dispatch_async(dispatch_queue_t queue, dispatch_block_t block)
    DISPATCH_SYMBOL(async) DISPATCH_NOTHROW;

/// Submits a block and returns when it has run, on the calling thread where possible.
DISPATCH_EXPORT void dispatch_sync(dispatch_queue_t queue,
                                   DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(sync);

/// Submits a block as if by `dispatch_async`, and returns when it has run.
DISPATCH_EXPORT void dispatch_async_and_wait(dispatch_queue_t queue,
                                             DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(async_and_wait);

/// Submits a block as a barrier: alone on a concurrent queue.
DISPATCH_EXPORT void dispatch_barrier_async(dispatch_queue_t queue, dispatch_block_t block)
    DISPATCH_SYMBOL(barrier_async) DISPATCH_NOTHROW;

/// Submits a block as a barrier and returns when it has run.
DISPATCH_EXPORT void dispatch_barrier_sync(dispatch_queue_t queue,
                                           DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(barrier_sync);

/// Submits a block as a barrier, as if by `dispatch_barrier_async`, and returns when it has run.
DISPATCH_EXPORT void dispatch_barrier_async_and_wait(dispatch_queue_t queue,
                                                     DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(barrier_async_and_wait);

/// Calls a block for each number below `iterations`, and returns when all calls have returned.
DISPATCH_EXPORT void dispatch_apply(size_t iterations, dispatch_queue_t _Nullable queue,
                                    DISPATCH_NOESCAPE void (^block)(size_t iteration))
    DISPATCH_SYMBOL(apply);

/// Submits a block at a time, never before it.
DISPATCH_EXPORT void dispatch_after(dispatch_time_t when, dispatch_queue_t queue,
                                    dispatch_block_t block)
    DISPATCH_SYMBOL(after) DISPATCH_NOTHROW;
#endif

/// Returns the queue whose work runs on this thread. Outside of work it is the main queue on the
/// main thread, and the default global queue on other threads.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_t dispatch_get_current_queue(void)
    DISPATCH_SYMBOL(get_current_queue) DISPATCH_NOTHROW;

/// Returns the queue of the main thread, which `dispatch_main` runs.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_main_t dispatch_get_main_queue(void)
    DISPATCH_SYMBOL(get_main_queue) DISPATCH_NOTHROW;

/// Returns the global queue of a class of quality of service or of a priority.
///
/// Other identifiers, and flags other than 0, give NULL.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_global_t
dispatch_get_global_queue(intptr_t identifier, uintptr_t flags)
    DISPATCH_SYMBOL(get_global_queue) DISPATCH_NOTHROW;

/// Returns attributes of a queue that `dispatch_activate` starts.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_attr_t _Nullable
dispatch_queue_attr_make_initially_inactive(dispatch_queue_attr_t _Nullable attributes)
    DISPATCH_SYMBOL(queue_attr_make_initially_inactive) DISPATCH_NOTHROW;

/// Ignored; kept for source compatibility with Dispatch.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_attr_t _Nullable
dispatch_queue_attr_make_with_autorelease_frequency(dispatch_queue_attr_t _Nullable attributes,
                                                    dispatch_autorelease_frequency_t frequency)
    DISPATCH_SYMBOL(queue_attr_make_with_autorelease_frequency) DISPATCH_NOTHROW;

/// Returns attributes of a queue with a class of quality of service.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_attr_t _Nullable
dispatch_queue_attr_make_with_qos_class(dispatch_queue_attr_t _Nullable attributes,
                                        dispatch_qos_class_t qos_class, int relative_priority)
    DISPATCH_SYMBOL(queue_attr_make_with_qos_class) DISPATCH_NOTHROW;

/// Creates a queue, which the caller releases.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_t
dispatch_queue_create(const char *_Nullable label, dispatch_queue_attr_t _Nullable attributes)
    DISPATCH_SYMBOL(queue_create) DISPATCH_NOTHROW;

/// Creates a queue whose work another queue runs.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_queue_t
dispatch_queue_create_with_target(const char *_Nullable label,
                                  dispatch_queue_attr_t _Nullable attributes,
                                  dispatch_queue_t _Nullable target)
    DISPATCH_SYMBOL(queue_create_with_target) DISPATCH_NOTHROW;

/// Returns the label of a queue, "" without one. The string lives as long as the queue.
DISPATCH_EXPORT DISPATCH_WARN_RESULT const char *
dispatch_queue_get_label(dispatch_queue_t _Nullable queue)
    DISPATCH_SYMBOL(queue_get_label) DISPATCH_NOTHROW;

/// Returns the class of quality of service and the relative priority of a queue.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_qos_class_t
dispatch_queue_get_qos_class(dispatch_queue_t queue, int *_Nullable relative_priority)
    DISPATCH_SYMBOL(queue_get_qos_class) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Runs the work of the main queue on the main thread, and never returns.
DISPATCH_EXPORT DISPATCH_NORETURN void dispatch_main(void) DISPATCH_SYMBOL(main);

/// Attaches a value to a queue under the address of the key; NULL removes the value.
///
/// The destructor gets a value that is replaced, removed, or left when the queue is freed. It runs
/// on a global queue.
DISPATCH_EXPORT void dispatch_queue_set_specific(dispatch_queue_t queue,
                                                 const void *_Nullable key,
                                                 void *_Nullable context,
                                                 dispatch_function_t _Nullable destructor)
    DISPATCH_SYMBOL(queue_set_specific) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the value of a queue under a key.
DISPATCH_EXPORT DISPATCH_WARN_RESULT void *_Nullable
dispatch_queue_get_specific(dispatch_queue_t queue, const void *_Nullable key)
    DISPATCH_SYMBOL(queue_get_specific) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the value of the current queue or of the nearest of its targets that has one.
DISPATCH_EXPORT DISPATCH_WARN_RESULT void *_Nullable dispatch_get_specific(
    const void *_Nullable key) DISPATCH_SYMBOL(get_specific) DISPATCH_NOTHROW;

/// Stops the program if the caller is not work of a queue.
DISPATCH_EXPORT void dispatch_assert_queue(dispatch_queue_t queue)
    DISPATCH_SYMBOL(assert_queue) DISPATCH_NONNULL1;

/// Stops the program if the caller is not a barrier of a queue.
DISPATCH_EXPORT void dispatch_assert_queue_barrier(dispatch_queue_t queue)
    DISPATCH_SYMBOL(assert_queue_barrier) DISPATCH_NONNULL1;

/// Stops the program if the caller is work of a queue.
DISPATCH_EXPORT void dispatch_assert_queue_not(dispatch_queue_t queue)
    DISPATCH_SYMBOL(assert_queue_not) DISPATCH_NONNULL1;

#ifdef NDEBUG
#define dispatch_assert_queue_debug(queue) ((void)(0 && (queue)))
#define dispatch_assert_queue_barrier_debug(queue) ((void)(0 && (queue)))
#define dispatch_assert_queue_not_debug(queue) ((void)(0 && (queue)))
#else
#define dispatch_assert_queue_debug(queue) dispatch_assert_queue(queue)
#define dispatch_assert_queue_barrier_debug(queue) dispatch_assert_queue_barrier(queue)
#define dispatch_assert_queue_not_debug(queue) dispatch_assert_queue_not(queue)
#endif

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
