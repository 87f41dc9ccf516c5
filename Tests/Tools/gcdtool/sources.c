#include "source.h"

// Values merge while a source is inactive, suspended or busy.
static void data_sources(void) {
  struct source source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_merge_data(source.source, 3);
  dispatch_source_merge_data(source.source, 4);
  dispatch_activate(source.source);
  drain(&source);
  EXPECT("reg e7");
  dispatch_suspend(source.source);
  for (uintptr_t value = 1; value <= 4; value++) dispatch_source_merge_data(source.source, value);
  dispatch_resume(source.source);
  drain(&source);
  EXPECT("e10");
  dispatch_source_merge_data(source.source, 0);
  dispatch_suspend(source.source);
  dispatch_source_merge_data(source.source, 1);
  dispatch_source_merge_data(source.source, (uintptr_t)-1);
  dispatch_resume(source.source);
  drain(&source);
  EXPECT("");
  if (!IS_REFERENCE) CHECK_EQUAL(dispatch_source_get_data(source.source), 0);
  cancel_source(&source);
  EXPECT("cancel");

  source = make_source(DISPATCH_SOURCE_TYPE_DATA_OR, 0, 0);
  const uintptr_t bits[] = {1, 4, 4};
  for (int index = 0; index < 3; index++) dispatch_source_merge_data(source.source, bits[index]);
  dispatch_activate(source.source);
  drain(&source);
  EXPECT("reg e5");
  cancel_source(&source);
  EXPECT("cancel");

  source = make_source(DISPATCH_SOURCE_TYPE_DATA_REPLACE, 0, 0);
  dispatch_source_merge_data(source.source, 1);
  dispatch_source_merge_data(source.source, 4);
  dispatch_activate(source.source);
  drain(&source);
  EXPECT("reg e4");
  dispatch_suspend(source.source);
  dispatch_source_merge_data(source.source, 4);
  dispatch_source_merge_data(source.source, 0);
  dispatch_resume(source.source);
  drain(&source);
  EXPECT("");
  cancel_source(&source);
  EXPECT("cancel");
}

// The handler is set, replaced and taken away at any time; events without one are lost.
static void source_handlers(void) {
  struct source source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_t object = source.source;
  dispatch_source_set_event_handler(object, NULL);
  dispatch_activate(object);
  dispatch_source_merge_data(object, 1);
  drain(&source);
  EXPECT("reg");
  dispatch_source_set_event_handler(object, ^{
    note("late%zu", (size_t)dispatch_source_get_data(object));
  });
  drain(&source);
  dispatch_source_merge_data(object, 2);
  drain(&source);
  EXPECT("late2");
  dispatch_source_set_event_handler(object, ^{
    note("new%zu", (size_t)dispatch_source_get_data(object));
  });
  drain(&source);
  dispatch_source_merge_data(object, 3);
  drain(&source);
  EXPECT("new3");
  dispatch_source_set_event_handler(object, NULL);
  drain(&source);
  dispatch_source_merge_data(object, 4);
  drain(&source);
  EXPECT("");
  cancel_source(&source);
  EXPECT("cancel");
}

static void event_function(void *context) {
  note("f(%s)", (const char *)context);
}

static void finalize(void *context) {
  note("fin(%s)", (const char *)context);
}

// Functions are called with the context of the source.
static void source_functions(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
  dispatch_set_context(source, "one");
  dispatch_source_set_registration_handler_f(source, event_function);
  dispatch_source_set_event_handler_f(source, event_function);
  dispatch_source_set_cancel_handler_f(source, event_function);
  dispatch_set_finalizer_f(source, finalize);
  dispatch_set_context(source, "two");
  dispatch_activate(source);
  pause_for(20);
  dispatch_source_merge_data(source, 1);
  pause_for(20);
  EXPECT("f(two) f(two)");
  dispatch_set_context(source, "three");
  dispatch_source_cancel(source);
  pause_for(20);
  EXPECT("f(three)");
  dispatch_release(source);
  pause_for(20);
  EXPECT("fin(three)");
}

// No event follows a cancellation, and the cancel handler runs once.
static void source_cancellation(void) {
  struct source source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_t object = source.source;
  dispatch_source_set_event_handler(object, ^{
    dispatch_source_merge_data(object, 1);
    dispatch_source_cancel(object);
    CHECK(dispatch_source_testcancel(object) != 0);
    note("e");
  });
  CHECK(dispatch_source_testcancel(object) == 0);
  dispatch_activate(object);
  dispatch_source_merge_data(object, 1);
  WAIT(source.cancelled);
  dispatch_source_cancel(object);
  dispatch_source_merge_data(object, 5);
  drain(&source);
  EXPECT("reg e cancel");
  CHECK_EQUAL(dispatch_source_get_mask(object), 0);
  dispatch_release(object);

  // Before the activation, which is awaited.
  source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_merge_data(source.source, 1);
  dispatch_source_cancel(source.source);
  pause_for(20);
  EXPECT("");
  dispatch_activate(source.source);
  // The source stays until its cancel handler has returned.
  dispatch_release(source.source);
  WAIT(source.cancelled);
  EXPECT("cancel");

  // While it is suspended.
  source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_activate(source.source);
  drain(&source);
  dispatch_suspend(source.source);
  dispatch_source_merge_data(source.source, 1);
  dispatch_source_cancel(source.source);
  pause_for(20);
  EXPECT("reg");
  dispatch_resume(source.source);
  WAIT(source.cancelled);
  EXPECT("cancel");
  dispatch_release(source.source);

  // Released without a cancellation.
  source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_set_context(source.source, "released");
  dispatch_set_finalizer_f(source.source, finalize);
  dispatch_activate(source.source);
  drain(&source);
  dispatch_release(source.source);
  pause_for(30);
  EXPECT("reg fin(released)");
}

// Work that waits in the queue comes before the events of a source that feeds itself.
static void source_order(void) {
  struct source source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_t object = source.source;
  dispatch_queue_t queue = source.queue;
  dispatch_semaphore_t end = dispatch_semaphore_create(0);
  dispatch_source_set_event_handler(object, ^{
    uintptr_t value = dispatch_source_get_data(object);
    note("e%zu", (size_t)value);
    if (value == 1) {
      dispatch_async(queue, ^{
        note("x");
      });
      dispatch_async(queue, ^{
        note("y");
      });
    }
    if (value < 30) dispatch_source_merge_data(object, value / 10 * 10 + 10);
    else dispatch_semaphore_signal(end);
  });
  dispatch_activate(object);
  dispatch_source_merge_data(object, 1);
  WAIT(end);
  EXPECT("reg e1 x y e10 e20 e30");
  cancel_source(&source);
  EXPECT("cancel");
}

// An inactive source is activated by resume; its target may change afterwards.
static void source_targets(void) {
  static char key;
  struct source source = make_source(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0);
  dispatch_source_t object = source.source;
  dispatch_queue_t other = dispatch_queue_create("other", NULL);
  dispatch_queue_set_specific(source.queue, &key, "q", NULL);
  dispatch_queue_set_specific(other, &key, "q2", NULL);
  dispatch_semaphore_t ran = dispatch_semaphore_create(0);
  dispatch_source_set_event_handler(object, ^{
    note("%s", (const char *)dispatch_get_specific(&key));
    dispatch_semaphore_signal(ran);
  });
  dispatch_resume(object);
  dispatch_source_merge_data(object, 1);
  WAIT(ran);
  dispatch_set_target_queue(object, other);
  pause_for(20);
  dispatch_source_merge_data(object, 1);
  WAIT(ran);
  EXPECT("reg q q2");
  dispatch_source_cancel(object);
  WAIT(source.cancelled);
  EXPECT("cancel");
  dispatch_release(object);
}

/// Whether a source can be created; it is released.
static bool creates(dispatch_source_type_t type, uintptr_t handle, uintptr_t mask) {
  dispatch_source_t source = dispatch_source_create(type, handle, mask, NULL);
  if (!source) return false;
  dispatch_activate(source);
  dispatch_source_cancel(source);
  dispatch_release(source);
  return true;
}

// Handles and masks that a type does not permit give no source.
static void source_creation(void) {
  CHECK(!creates(DISPATCH_SOURCE_TYPE_DATA_ADD, 1, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_DATA_OR, 0, 1));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_READ, 0, 1));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)-1, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_WRITE, 1, 1));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_TIMER, 100, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_SIGNAL, 0, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_SIGNAL, 65, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_SIGNAL, SIGUSR1, 1));
  CHECK(creates(DISPATCH_SOURCE_TYPE_SIGNAL, SIGUSR1, 0));
  CHECK(creates(DISPATCH_SOURCE_TYPE_SIGNAL, SIGKILL, 0));
  CHECK(creates(DISPATCH_SOURCE_TYPE_SIGNAL, SIGSEGV, 0));
  CHECK(creates(DISPATCH_SOURCE_TYPE_TIMER, 0, DISPATCH_TIMER_STRICT));
  CHECK(creates(DISPATCH_SOURCE_TYPE_READ, 1000, 0));
#ifndef REFERENCE
  CHECK(!creates(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)getpid(), 0));
  CHECK(creates(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)getpid(),
                DISPATCH_PROC_EXIT | DISPATCH_PROC_SIGNAL));
  CHECK(creates(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)getpid(), DISPATCH_PROC_SIGNAL));
  CHECK(creates(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)getpid(), DISPATCH_PROC_EXIT));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_VNODE, 0, 0));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_VNODE, (uintptr_t)-1, DISPATCH_VNODE_WRITE));
  CHECK(!creates(DISPATCH_SOURCE_TYPE_MEMORYPRESSURE, 0, 0));
#endif
  struct source source = make_source(DISPATCH_SOURCE_TYPE_TIMER, 0, DISPATCH_TIMER_STRICT);
  CHECK_EQUAL(dispatch_source_get_handle(source.source), 0);
  CHECK_EQUAL(dispatch_source_get_mask(source.source), DISPATCH_TIMER_STRICT);
  dispatch_activate(source.source);
  cancel_source(&source);
  take_notes();
}

const struct row source_rows[] = {
    {"data_sources", data_sources},
    {"source_handlers", source_handlers},
    {"source_functions", source_functions},
    {"source_cancellation", source_cancellation},
    {"source_order", source_order},
    {"source_targets", source_targets},
    {"source_creation", source_creation},
    {NULL, NULL},
};
