// Channels: asynchronous reads and writes.

#ifndef GCD_DISPATCH_IO_H
#define GCD_DISPATCH_IO_H

#include <dispatch/base.h>
#include <dispatch/data.h>
#include <dispatch/object.h>
#include <dispatch/queue.h>

DISPATCH_BEGIN_HEADER

DISPATCH_DECL(dispatch_io);

typedef int dispatch_fd_t;

#define DISPATCH_IO_STREAM 0
#define DISPATCH_IO_RANDOM 1
typedef unsigned long dispatch_io_type_t;

/// Ends pending operations with ECANCELED, for `dispatch_io_close`.
#define DISPATCH_IO_STOP 0x1
typedef unsigned long dispatch_io_close_flags_t;

/// Calls handlers at each interval, also without new data, for `dispatch_io_set_interval`.
#define DISPATCH_IO_STRICT_INTERVAL 0x1
typedef unsigned long dispatch_io_interval_flags_t;

// The function forms. Dispatch has them without a public declaration.

/// A function that gets data, or data that was not written, and an error number.
typedef void (*dispatch_data_handler_function_t)(void *_Nullable context,
                                                 dispatch_data_t _Nullable data, int error);
/// A function that gets the state of an operation; the call with `done` is the last.
typedef void (*dispatch_io_handler_function_t)(void *_Nullable context, bool done,
                                               dispatch_data_t _Nullable data, int error);
/// A function that is called when a channel has closed its descriptor for the system.
typedef void (*dispatch_io_cleanup_function_t)(void *_Nullable context, int error);

DISPATCH_BEGIN_DECLS

/// Reads from a descriptor, and calls a function once with the data.
DISPATCH_EXPORT void dispatch_read_f(dispatch_fd_t fd, size_t length, dispatch_queue_t queue,
                                     void *_Nullable context,
                                     dispatch_data_handler_function_t handler)
    DISPATCH_SYMBOL(read_f) DISPATCH_NONNULL3 DISPATCH_NONNULL5 DISPATCH_NOTHROW;

/// Writes to a descriptor, and calls a function once with what was not written.
DISPATCH_EXPORT void dispatch_write_f(dispatch_fd_t fd, dispatch_data_t data,
                                      dispatch_queue_t queue, void *_Nullable context,
                                      dispatch_data_handler_function_t handler)
    DISPATCH_SYMBOL(write_f) DISPATCH_NONNULL2 DISPATCH_NONNULL3 DISPATCH_NONNULL5
    DISPATCH_NOTHROW;

/// Creates a channel for a descriptor, which the caller does not close before the cleanup call.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t
dispatch_io_create_f(dispatch_io_type_t type, dispatch_fd_t fd, dispatch_queue_t queue,
                     void *_Nullable context,
                     dispatch_io_cleanup_function_t _Nullable cleanup_handler)
    DISPATCH_SYMBOL(io_create_f) DISPATCH_NOTHROW;

/// Creates a channel for an absolute path, which the first operation opens.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t dispatch_io_create_with_path_f(
    dispatch_io_type_t type, const char *path, int oflag, mode_t mode, dispatch_queue_t queue,
    void *_Nullable context, dispatch_io_cleanup_function_t _Nullable cleanup_handler)
    DISPATCH_SYMBOL(io_create_with_path_f) DISPATCH_NONNULL2 DISPATCH_NOTHROW;

/// Creates a channel from another one, with its descriptor or path.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t
dispatch_io_create_with_io_f(dispatch_io_type_t type, dispatch_io_t io, dispatch_queue_t queue,
                             void *_Nullable context,
                             dispatch_io_cleanup_function_t _Nullable cleanup_handler)
    DISPATCH_SYMBOL(io_create_with_io_f) DISPATCH_NONNULL2 DISPATCH_NOTHROW;

/// Reads from a channel, and calls a function with chunks of the data.
DISPATCH_EXPORT void dispatch_io_read_f(dispatch_io_t channel, off_t offset, size_t length,
                                        dispatch_queue_t queue, void *_Nullable context,
                                        dispatch_io_handler_function_t io_handler)
    DISPATCH_SYMBOL(io_read_f) DISPATCH_NONNULL1 DISPATCH_NONNULL4 DISPATCH_NONNULL6
    DISPATCH_NOTHROW;

/// Writes to a channel, and calls a function with the data that is still unwritten.
DISPATCH_EXPORT void dispatch_io_write_f(dispatch_io_t channel, off_t offset, dispatch_data_t data,
                                         dispatch_queue_t queue, void *_Nullable context,
                                         dispatch_io_handler_function_t io_handler)
    DISPATCH_SYMBOL(io_write_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3 DISPATCH_NONNULL4
    DISPATCH_NONNULL6 DISPATCH_NOTHROW;

/// Calls a function after the earlier operations of a descriptor and before the later ones.
DISPATCH_EXPORT void dispatch_io_barrier_f(dispatch_io_t channel, void *_Nullable context,
                                           dispatch_function_t barrier)
    DISPATCH_SYMBOL(io_barrier_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3 DISPATCH_NOTHROW;

#ifdef __BLOCKS__
/// A block that gets the state of an operation; the call with `done` is the last.
typedef void (^dispatch_io_handler_t)(bool done, dispatch_data_t _Nullable data, int error);

/// Reads from a descriptor, and calls a block once with the data.
DISPATCH_EXPORT void dispatch_read(dispatch_fd_t fd, size_t length, dispatch_queue_t queue,
                                   void (^handler)(dispatch_data_t data, int error))
    DISPATCH_SYMBOL(read) DISPATCH_NOTHROW;

/// Writes to a descriptor, and calls a block once with what was not written.
DISPATCH_EXPORT void dispatch_write(dispatch_fd_t fd, dispatch_data_t data, dispatch_queue_t queue,
                                    void (^handler)(dispatch_data_t _Nullable data, int error))
    DISPATCH_SYMBOL(write) DISPATCH_NOTHROW;

/// Creates a channel for a descriptor, which the caller does not close before the cleanup call.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t
dispatch_io_create(dispatch_io_type_t type, dispatch_fd_t fd, dispatch_queue_t queue,
                   void (^_Nullable cleanup_handler)(int error))
    DISPATCH_SYMBOL(io_create) DISPATCH_NOTHROW;

/// Creates a channel for an absolute path, which the first operation opens.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t
dispatch_io_create_with_path(dispatch_io_type_t type, const char *path, int oflag, mode_t mode,
                             dispatch_queue_t queue, void (^_Nullable cleanup_handler)(int error))
    DISPATCH_SYMBOL(io_create_with_path) DISPATCH_NOTHROW;

/// Creates a channel from another one, with its descriptor or path.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_io_t
dispatch_io_create_with_io(dispatch_io_type_t type, dispatch_io_t io, dispatch_queue_t queue,
                           void (^_Nullable cleanup_handler)(int error))
    DISPATCH_SYMBOL(io_create_with_io) DISPATCH_NOTHROW;

/// Reads from a channel, and calls a block with chunks of the data.
DISPATCH_EXPORT void dispatch_io_read(dispatch_io_t channel, off_t offset, size_t length,
                                      dispatch_queue_t queue, dispatch_io_handler_t io_handler)
    DISPATCH_SYMBOL(io_read) DISPATCH_NOTHROW;

/// Writes to a channel, and calls a block with the data that is still unwritten.
DISPATCH_EXPORT void dispatch_io_write(dispatch_io_t channel, off_t offset, dispatch_data_t data,
                                       dispatch_queue_t queue, dispatch_io_handler_t io_handler)
    DISPATCH_SYMBOL(io_write) DISPATCH_NOTHROW;

/// Runs a block after the earlier operations of a descriptor and before the later ones.
DISPATCH_EXPORT void dispatch_io_barrier(dispatch_io_t channel, dispatch_block_t barrier)
    DISPATCH_SYMBOL(io_barrier) DISPATCH_NOTHROW;
#endif

/// Closes a channel for new operations.
DISPATCH_EXPORT void dispatch_io_close(dispatch_io_t channel, dispatch_io_close_flags_t flags)
    DISPATCH_SYMBOL(io_close) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the descriptor of a channel, -1 if it is closed.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_fd_t dispatch_io_get_descriptor(
    dispatch_io_t channel) DISPATCH_SYMBOL(io_get_descriptor) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the greatest number of bytes of one handler call.
DISPATCH_EXPORT void dispatch_io_set_high_water(dispatch_io_t channel, size_t high_water)
    DISPATCH_SYMBOL(io_set_high_water) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the least number of bytes of one handler call, but for the last.
DISPATCH_EXPORT void dispatch_io_set_low_water(dispatch_io_t channel, size_t low_water)
    DISPATCH_SYMBOL(io_set_low_water) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Sets the nanoseconds between two handler calls.
DISPATCH_EXPORT void dispatch_io_set_interval(dispatch_io_t channel, uint64_t interval,
                                              dispatch_io_interval_flags_t flags)
    DISPATCH_SYMBOL(io_set_interval) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
