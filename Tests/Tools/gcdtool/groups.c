#include "tool.h"

static dispatch_semaphore_t finalized;

static void add(void *context) {
  note("%s", (const char *)context);
}

static void finalize(void *context) {
  note("%s", (const char *)context);
  dispatch_semaphore_signal(finalized);
}

// A group that is entered lives until it is left, without a reference of the program.
static void entered_group(void) {
  finalized = dispatch_semaphore_create(0);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_group_t group = dispatch_group_create();
  dispatch_set_context(group, "finalized");
  dispatch_set_finalizer_f(group, finalize);
  dispatch_group_enter(group);
  dispatch_group_enter(group);
  dispatch_group_notify(group, queue, ^{
    note("notified");
  });
  dispatch_release(group);
  pause_for(20);
  EXPECT("");
  dispatch_group_leave(group);
  dispatch_async(global_queue(), ^{
    dispatch_group_leave(group);
  });
  WAIT(finalized);
  dispatch_sync(queue, ^{});
  char *found = take_notes();
  CHECK(strcmp(found, "notified finalized") == 0 || strcmp(found, "finalized notified") == 0);
  free(found);
  dispatch_release(queue);
}

// Notifications come in the order of their calls, when the count is 0, and the group is used anew.
static void group_notifications(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_group_t group = dispatch_group_create();
  dispatch_group_notify_f(group, queue, "empty", add);
  dispatch_sync(queue, ^{});
  EXPECT("empty");
  for (int round = 0; round < 2; round++) {
    dispatch_semaphore_t go = dispatch_semaphore_create(0);
    dispatch_group_async(group, global_queue(), ^{
      WAIT(go);
      note("work");
    });
    dispatch_group_async_f(group, queue, "function", add);
    dispatch_sync(queue, ^{});
    dispatch_group_notify(group, queue, ^{
      note("first");
    });
    dispatch_group_notify_f(group, queue, "second", add);
    EXPECT("function");
    dispatch_semaphore_signal(go);
    CHECK(dispatch_group_wait(group, DISPATCH_TIME_FOREVER) == 0);
    EXPECT("work first second");
    dispatch_release(go);
  }
  dispatch_release(group);
  dispatch_release(queue);
}

// A group notifies once all of a lot of work has run.
static void group_storm(void) {
  dispatch_group_t group = dispatch_group_create();
  __block int count = 0;
  for (int index = 0; index < 20000; index++) {
    dispatch_group_async(group, global_queue(), ^{
      __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    });
  }
  CHECK(dispatch_group_wait(group, from_now(10000)) == 0);
  CHECK_EQUAL(count, 20000);
  dispatch_release(group);
}

// A signal reports whether it woke a thread; a negative value gives no semaphore.
static void semaphores(void) {
  CHECK(dispatch_semaphore_create(-1) == NULL);
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(2);
  CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) == 0);
  CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER) == 0);
  CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0);
  CHECK(dispatch_semaphore_signal(semaphore) == 0);
  CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) == 0);
  dispatch_semaphore_t waits = dispatch_semaphore_create(0);
  long woken = 0;
  // The thread may not wait yet when the semaphore is signalled.
  for (int round = 0; round < 100 && woken == 0; round++) {
    dispatch_async(global_queue(), ^{
      dispatch_semaphore_signal(waits);
      CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER) == 0);
      dispatch_semaphore_signal(waits);
    });
    WAIT(waits);
    pause_for(50);
    woken = dispatch_semaphore_signal(semaphore);
    WAIT(waits);
  }
  CHECK(woken != 0);
  CHECK(dispatch_semaphore_signal(semaphore) == 0);
  CHECK(dispatch_semaphore_signal(semaphore) == 0);
  dispatch_release(semaphore);
}

const struct row group_rows[] = {
    {"entered_group", entered_group},
    {"group_notifications", group_notifications},
    {"group_storm", group_storm},
    {"semaphores", semaphores},
    {NULL, NULL},
};
