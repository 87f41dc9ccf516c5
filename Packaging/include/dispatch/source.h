// Event sources: timers, descriptors, signals, processes, files, memory pressure and data.

#ifndef GCD_DISPATCH_SOURCE_H
#define GCD_DISPATCH_SOURCE_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/queue.h>
#include <dispatch/time.h>
#include <signal.h>

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

typedef const struct dispatch_source_type_s *dispatch_source_type_t;

#define DISPATCH_SOURCE_TYPE_DECL(name)                                                           \
  DISPATCH_EXPORT const struct dispatch_source_type_s _dispatch_source_type_##name                \
      DISPATCH_SYMBOL(source_type_##name)

/// Merged values are added.
#define DISPATCH_SOURCE_TYPE_DATA_ADD (&_dispatch_source_type_data_add)
DISPATCH_SOURCE_TYPE_DECL(data_add);
/// Merged values are combined by a bitwise or.
#define DISPATCH_SOURCE_TYPE_DATA_OR (&_dispatch_source_type_data_or)
DISPATCH_SOURCE_TYPE_DECL(data_or);
/// A merged value replaces the one before.
#define DISPATCH_SOURCE_TYPE_DATA_REPLACE (&_dispatch_source_type_data_replace)
DISPATCH_SOURCE_TYPE_DECL(data_replace);
/// The pressure on the system's memory; the mask has DISPATCH_MEMORYPRESSURE_... .
#define DISPATCH_SOURCE_TYPE_MEMORYPRESSURE (&_dispatch_source_type_memorypressure)
DISPATCH_SOURCE_TYPE_DECL(memorypressure);
/// A process; the handle is its identifier, the mask has DISPATCH_PROC_... .
#define DISPATCH_SOURCE_TYPE_PROC (&_dispatch_source_type_proc)
DISPATCH_SOURCE_TYPE_DECL(proc);
/// A descriptor with bytes to read; the data is an estimate of their number, 0 at the end.
#define DISPATCH_SOURCE_TYPE_READ (&_dispatch_source_type_read)
DISPATCH_SOURCE_TYPE_DECL(read);
/// A signal of the process; the handle is its number, the data the number of deliveries.
#define DISPATCH_SOURCE_TYPE_SIGNAL (&_dispatch_source_type_signal)
DISPATCH_SOURCE_TYPE_DECL(signal);
/// A timer; the data is the number of times that it has fired since the last call.
#define DISPATCH_SOURCE_TYPE_TIMER (&_dispatch_source_type_timer)
DISPATCH_SOURCE_TYPE_DECL(timer);
/// A file; the handle is a descriptor of it, the mask has DISPATCH_VNODE_... .
#define DISPATCH_SOURCE_TYPE_VNODE (&_dispatch_source_type_vnode)
DISPATCH_SOURCE_TYPE_DECL(vnode);
/// A descriptor with room to write; the data is an estimate of the number of bytes.
#define DISPATCH_SOURCE_TYPE_WRITE (&_dispatch_source_type_write)
DISPATCH_SOURCE_TYPE_DECL(write);

#define DISPATCH_MEMORYPRESSURE_NORMAL 0x01
#define DISPATCH_MEMORYPRESSURE_WARN 0x02
#define DISPATCH_MEMORYPRESSURE_CRITICAL 0x04
typedef unsigned long dispatch_source_memorypressure_flags_t;

#define DISPATCH_PROC_EXIT 0x80000000
#define DISPATCH_PROC_FORK 0x40000000
#define DISPATCH_PROC_EXEC 0x20000000
/// Linux does not report it: a source with this flag is NULL.
#define DISPATCH_PROC_SIGNAL 0x08000000
typedef unsigned long dispatch_source_proc_flags_t;

#define DISPATCH_VNODE_DELETE 0x1
#define DISPATCH_VNODE_WRITE 0x2
#define DISPATCH_VNODE_EXTEND 0x4
#define DISPATCH_VNODE_ATTRIB 0x8
#define DISPATCH_VNODE_LINK 0x10
#define DISPATCH_VNODE_RENAME 0x20
#define DISPATCH_VNODE_REVOKE 0x40
#define DISPATCH_VNODE_FUNLOCK 0x100
typedef unsigned long dispatch_source_vnode_flags_t;

/// The flag of `open` for a descriptor that only a source uses: `O_PATH`, which the C library
/// declares for programs with `_GNU_SOURCE` only.
#if !defined(O_EVTONLY) && defined(O_PATH)
#define O_EVTONLY O_PATH
#elif !defined(O_EVTONLY) && defined(__O_PATH)
#define O_EVTONLY __O_PATH
#endif

/// Ignored; kept for source compatibility with Dispatch.
#define DISPATCH_TIMER_STRICT 0x1
typedef unsigned long dispatch_source_timer_flags_t;

/// Creates an inactive source, which the caller releases; NULL for a handle or mask that the type
/// does not permit.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_source_t
dispatch_source_create(dispatch_source_type_t type, uintptr_t handle, uintptr_t mask,
                       dispatch_queue_t _Nullable queue)
    DISPATCH_SYMBOL(source_create) DISPATCH_NOTHROW;

/// Sets the function that is called at an event, with the context of the source.
DISPATCH_EXPORT void dispatch_source_set_event_handler_f(dispatch_source_t source,
                                                         dispatch_function_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_event_handler_f) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the function that is called after the last event of a cancelled source.
DISPATCH_EXPORT void dispatch_source_set_cancel_handler_f(dispatch_source_t source,
                                                          dispatch_function_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_cancel_handler_f) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the function that is called once, before the first event.
DISPATCH_EXPORT void dispatch_source_set_registration_handler_f(
    dispatch_source_t source, dispatch_function_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_registration_handler_f) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

#ifdef __BLOCKS__
/// Sets the block that runs at an event.
DISPATCH_EXPORT void dispatch_source_set_event_handler(dispatch_source_t source,
                                                       dispatch_block_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_event_handler) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the block that runs after the last event of a cancelled source.
DISPATCH_EXPORT void dispatch_source_set_cancel_handler(dispatch_source_t source,
                                                        dispatch_block_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_cancel_handler) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the block that runs once, before the first event.
DISPATCH_EXPORT void dispatch_source_set_registration_handler(dispatch_source_t source,
                                                              dispatch_block_t _Nullable handler)
    DISPATCH_SYMBOL(source_set_registration_handler) DISPATCH_NONNULL1 DISPATCH_NOTHROW;
#endif

/// Cancels a source: no event call starts any more, and the cancel handler follows.
DISPATCH_EXPORT void dispatch_source_cancel(dispatch_source_t source)
    DISPATCH_SYMBOL(source_cancel) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns a value other than 0 if a source was cancelled.
DISPATCH_EXPORT DISPATCH_WARN_RESULT intptr_t dispatch_source_testcancel(dispatch_source_t source)
    DISPATCH_SYMBOL(source_testcancel) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the handle that a source was created with.
DISPATCH_EXPORT DISPATCH_WARN_RESULT uintptr_t dispatch_source_get_handle(dispatch_source_t source)
    DISPATCH_SYMBOL(source_get_handle) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the mask that a source was created with, 0 after its cancellation.
DISPATCH_EXPORT DISPATCH_WARN_RESULT uintptr_t dispatch_source_get_mask(dispatch_source_t source)
    DISPATCH_SYMBOL(source_get_mask) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the data of the event, 0 outside of the event handler.
DISPATCH_EXPORT DISPATCH_WARN_RESULT uintptr_t dispatch_source_get_data(dispatch_source_t source)
    DISPATCH_SYMBOL(source_get_data) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Merges a value into a data source.
DISPATCH_EXPORT void dispatch_source_merge_data(dispatch_source_t source, uintptr_t value)
    DISPATCH_SYMBOL(source_merge_data) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the start, interval and leeway of a timer; the last two are nanoseconds.
DISPATCH_EXPORT void dispatch_source_set_timer(dispatch_source_t source, dispatch_time_t start,
                                               uint64_t interval, uint64_t leeway)
    DISPATCH_SYMBOL(source_set_timer) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
