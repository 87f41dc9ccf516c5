#include "source.h"

struct source make_source(dispatch_source_type_t type, uintptr_t handle, uintptr_t mask) {
  struct source source;
  source.queue = dispatch_queue_create("events", NULL);
  source.event = dispatch_semaphore_create(0);
  source.cancelled = dispatch_semaphore_create(0);
  source.source = dispatch_source_create(type, handle, mask, source.queue);
  CHECK(source.source != NULL);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event, cancelled = source.cancelled;
  dispatch_source_set_registration_handler(object, ^{
    note("reg");
  });
  dispatch_source_set_event_handler(object, ^{
    note("e%zu", (size_t)dispatch_source_get_data(object));
    dispatch_semaphore_signal(event);
  });
  dispatch_source_set_cancel_handler(object, ^{
    note("cancel");
    dispatch_semaphore_signal(cancelled);
  });
  return source;
}

void drain(struct source *source) {
  // The hops between the queues are short.
  for (int round = 0; round < 3; round++) {
    pause_for(5);
    dispatch_sync(source->queue, ^{});
  }
}

void cancel_source(struct source *source) {
  dispatch_source_cancel(source->source);
  WAIT(source->cancelled);
  dispatch_release(source->source);
  dispatch_release(source->queue);
}
