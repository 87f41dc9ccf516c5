#include "tool.h"

// The global queues and the main queue live for ever: no call takes a reference off them.
static void globals_keep(void) {
  dispatch_queue_t queues[] = {
      global_queue(),
      dispatch_get_main_queue(),
      dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_BACKGROUND, 0),
      dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, DISPATCH_QUEUE_OVERCOMMIT),
  };
  for (int round = 0; round < 100; round++) {
    for (size_t index = 0; index < sizeof queues / sizeof *queues; index++) {
      dispatch_release(queues[index]);
      if (round % 2 == 0) dispatch_retain(queues[index]);
      dispatch_suspend(queues[index]);
      dispatch_set_target_queue(queues[index], queues[0]);
    }
  }
  dispatch_semaphore_t ran = dispatch_semaphore_create(0);
  dispatch_async(queues[0], ^{
    dispatch_semaphore_signal(ran);
  });
  WAIT(ran);
  dispatch_async(queues[3], ^{
    dispatch_semaphore_signal(ran);
  });
  WAIT(ran);
  dispatch_resume(queues[0]);
  CHECK(queues[0] == global_queue());
  CHECK(queues[1] == dispatch_get_main_queue());
  CHECK(queues[3] != queues[0]);
  dispatch_release(ran);
}

static dispatch_semaphore_t finalized;

static void finalize(void *context) {
  note("%s", (const char *)context);
  dispatch_semaphore_signal(finalized);
}

static dispatch_source_t data_source(void) {
  dispatch_source_t source =
      dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, global_queue());
  dispatch_resume(source);
  return source;
}

static void finalize_one(dispatch_object_t object, const char *name) {
  CHECK(dispatch_get_context(object) == NULL);
  dispatch_set_context(object, (void *)name);
  CHECK(dispatch_get_context(object) == name);
  dispatch_set_finalizer_f(object, finalize);
  dispatch_retain(object);
  dispatch_release(object);
  dispatch_release(object);
  WAIT(finalized);
  EXPECT(name);
}

static void without_context(dispatch_object_t object) {
  dispatch_set_finalizer_f(object, finalize);
  dispatch_release(object);
}

// Contexts and finalizers of every kind of object.
static void finalizers(void) {
  finalized = dispatch_semaphore_create(0);
  finalize_one((dispatch_object_t)dispatch_queue_create("a", NULL), "queue");
  finalize_one((dispatch_object_t)dispatch_queue_create("b", DISPATCH_QUEUE_CONCURRENT),
               "concurrent");
  finalize_one((dispatch_object_t)dispatch_group_create(), "group");
  finalize_one((dispatch_object_t)dispatch_semaphore_create(3), "semaphore");
  finalize_one((dispatch_object_t)data_source(), "source");
  without_context((dispatch_object_t)dispatch_queue_create("c", NULL));
  without_context((dispatch_object_t)dispatch_group_create());
  without_context((dispatch_object_t)dispatch_semaphore_create(0));
  without_context((dispatch_object_t)data_source());
  pause_for(50);
  EXPECT("");
}

static char target_key;

static void finalize_on_target(void *context) {
  CHECK(dispatch_get_specific(&target_key) != NULL);
  finalize(context);
}

// The finalizer gets the context that the last work has set, and runs on the target queue.
static void finalizer_place(void) {
  finalized = dispatch_semaphore_create(0);
  dispatch_queue_t target = dispatch_queue_create("target", NULL);
  dispatch_queue_set_specific(target, &target_key, "on the target", NULL);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_set_target_queue(queue, target);
  dispatch_set_context(queue, "first");
  dispatch_set_finalizer_f(queue, finalize_on_target);
  dispatch_async(queue, ^{
    CHECK(strcmp(dispatch_get_specific(&target_key), "on the target") == 0);
    dispatch_set_context(queue, "second");
  });
  dispatch_release(queue);
  WAIT(finalized);
  EXPECT("second");

  dispatch_object_t others[] = {
      (dispatch_object_t)dispatch_group_create(),
      (dispatch_object_t)dispatch_semaphore_create(0),
      (dispatch_object_t)dispatch_data_create("bytes", 5, NULL, NULL),
      (dispatch_object_t)dispatch_data_create("bytes", 5, target, NULL),
  };
  for (int index = 0; index < 4; index++) {
    if (index < 3) dispatch_set_target_queue(others[index], target);
    dispatch_set_context(others[index], "other");
    dispatch_set_finalizer_f(others[index], finalize_on_target);
    dispatch_release(others[index]);
    WAIT(finalized);
    EXPECT("other");
  }
  dispatch_release(target);
}

// Attributes of queues are no addresses, and calls do nothing with them.
static void attributes_keep(void) {
  dispatch_object_t attribute = (dispatch_object_t)DISPATCH_QUEUE_CONCURRENT;
  dispatch_retain(attribute);
  dispatch_release(attribute);
  CHECK(dispatch_get_context(attribute) == NULL);
}

// Descriptions name the kind and the label.
static void descriptions(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  int error = dup(2);
  dup2(ends[1], 2);
  dispatch_queue_t queue = dispatch_queue_create("a label", NULL);
  dispatch_group_t group = dispatch_group_create();
  dispatch_source_t source = data_source();
  dispatch_debug(queue, "%d and %s", 1, "two");
  dispatch_debug(group, "group");
  dispatch_debug(source, "source");
  dup2(error, 2);
  if (IS_REFERENCE) return;
  char text[4096];
  ssize_t count = read(ends[0], text, sizeof text - 1);
  CHECK(count > 0);
  text[count] = 0;
  CHECK(strstr(text, "a label") != NULL);
  CHECK(strstr(text, ": 1 and two\n") != NULL);
  CHECK(strstr(text, ": group\n") != NULL);
  CHECK(strstr(text, ": source\n") != NULL);
}

const struct row object_rows[] = {
    {"globals_keep", globals_keep},
    {"finalizers", finalizers},
    {"finalizer_place", finalizer_place},
    {"attributes_keep", attributes_keep},
    {"descriptions", descriptions},
    {NULL, NULL},
};
