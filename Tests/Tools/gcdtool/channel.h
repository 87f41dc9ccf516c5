// Channels whose handlers keep a record: "0/1048576" is a call with data, "1/empty" the last call
// at the end of the file, "1/NULL" one without data; an error number follows, if there is one.
// "cN" is the cleanup call with N.

#ifndef GCDTOOL_CHANNEL_H
#define GCDTOOL_CHANNEL_H

#include "tool.h"

struct channel {
  dispatch_io_t io;
  dispatch_queue_t queue;
  /// Signalled by each last call of a handler, and by the cleanup call.
  dispatch_semaphore_t done, cleaned;
};

/// Creates a channel of a descriptor.
struct channel open_channel(dispatch_io_type_t type, int descriptor);
/// Creates a channel of a path.
struct channel open_path(dispatch_io_type_t type, const char *path, int flags);
/// Reads, and does not wait.
void start_read(struct channel *channel, off_t offset, size_t length);
/// Writes, and does not wait.
void start_write(struct channel *channel, off_t offset, dispatch_data_t data);
/// Waits for the last call of an operation.
void finish(struct channel *channel);
/// Closes and releases a channel, and waits for the cleanup.
void close_channel(struct channel *channel, dispatch_io_close_flags_t flags);
/// Returns an object with `count` regions of `size` bytes each.
dispatch_data_t regions(size_t count, size_t size);

#endif
