// Sources whose handlers keep a record: "reg", "eN" with the data of the event, "cancel".

#ifndef GCDTOOL_SOURCE_H
#define GCDTOOL_SOURCE_H

#include "tool.h"

struct source {
  dispatch_source_t source;
  dispatch_queue_t queue;
  /// Signalled by each event call.
  dispatch_semaphore_t event;
  /// Signalled by the cancel handler.
  dispatch_semaphore_t cancelled;
};

/// Creates an inactive source with all three handlers, on a serial queue of its own.
struct source make_source(dispatch_source_type_t type, uintptr_t handle, uintptr_t mask);
/// Waits until what was caused before has run.
void drain(struct source *source);
/// Cancels a source, waits for the cancel handler, and releases the source.
void cancel_source(struct source *source);

#endif
