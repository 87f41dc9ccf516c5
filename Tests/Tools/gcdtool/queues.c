#include "tool.h"

static void add(void *context) {
  note("%s", (const char *)context);
}

static void add_index(void *context, size_t index) {
  __atomic_fetch_add((size_t *)context, index + 1, __ATOMIC_RELAXED);
}

// Function forms run in order.
static void function_forms(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", DISPATCH_QUEUE_SERIAL);
  dispatch_async_f(queue, "async", add);
  dispatch_barrier_async_f(queue, "barrier", add);
  dispatch_sync_f(queue, "sync", add);
  dispatch_barrier_sync_f(queue, "barrierSync", add);
  EXPECT("async barrier sync barrierSync");
  dispatch_after_f(from_now(10), queue, "after", add);
  EXPECT("after");
#ifndef REFERENCE
  dispatch_async_f(queue, "async", add);
  dispatch_async_and_wait_f(queue, "wait", add);
  dispatch_barrier_async_and_wait_f(queue, "barrierWait", add);
  EXPECT("async wait barrierWait");
#endif
  size_t sum = 0;
  dispatch_apply_f(100, global_queue(), &sum, add_index);
  CHECK_EQUAL(sum, 5050);
  dispatch_apply_f(3, queue, &sum, add_index);
  dispatch_apply_f(4, DISPATCH_APPLY_AUTO, &sum, add_index);
  dispatch_apply_f(0, queue, &sum, add_index);
  CHECK_EQUAL(sum, 5066);
  dispatch_release(queue);
}

// Block forms run in order, and calls that wait run the caller's block without a copy.
static void block_forms(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  __block int value = 0;
  int step = 5;
  dispatch_async(queue, ^{
    value += step;
  });
  dispatch_barrier_async(queue, ^{
    value *= 2;
  });
  dispatch_sync(queue, ^{
    value += 1;
  });
  CHECK_EQUAL(value, 11);
  dispatch_barrier_sync(queue, ^{
    value = 20;
  });
#ifndef REFERENCE
  dispatch_async_and_wait(queue, ^{
    value += 1;
  });
  dispatch_barrier_async_and_wait(queue, ^{
    value -= 1;
  });
#endif
  CHECK_EQUAL(value, 20);
  __block size_t sum = 0;
  dispatch_apply(10, queue, ^(size_t index) {
    sum += index;
  });
  CHECK_EQUAL(sum, 45);
  double start = milliseconds();
  dispatch_semaphore_t fired = dispatch_semaphore_create(0);
  dispatch_after(from_now(50), queue, ^{
    dispatch_semaphore_signal(fired);
  });
  WAIT(fired);
  CHECK(milliseconds() - start >= 50);
  dispatch_after(dispatch_walltime(NULL, 20 * (int64_t)NSEC_PER_MSEC), queue, ^{
    dispatch_semaphore_signal(fired);
  });
  WAIT(fired);
  dispatch_after(DISPATCH_TIME_FOREVER, queue, ^{
    CHECK(false);
  });
  dispatch_release(fired);
  dispatch_release(queue);
}

// A barrier runs alone on a concurrent queue, and other work does not.
static void barriers(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", DISPATCH_QUEUE_CONCURRENT);
  dispatch_semaphore_t first = dispatch_semaphore_create(0);
  dispatch_semaphore_t second = dispatch_semaphore_create(0);
  __block int running = 0;
  dispatch_async(queue, ^{
    dispatch_semaphore_signal(first);
    WAIT(second);
  });
  dispatch_async(queue, ^{
    dispatch_semaphore_signal(second);
    WAIT(first);
  });
  for (int index = 0; index < 20; index++) {
    dispatch_async(queue, ^{
      __atomic_fetch_add(&running, 1, __ATOMIC_SEQ_CST);
      pause_for(1);
      __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
    });
    dispatch_barrier_async(queue, ^{
      CHECK_EQUAL(__atomic_load_n(&running, __ATOMIC_SEQ_CST), 0);
      dispatch_assert_queue_barrier(queue);
    });
  }
  dispatch_barrier_sync(queue, ^{
    CHECK_EQUAL(running, 0);
  });
  dispatch_release(queue);
}

// A label is copied and lives as long as the queue; NULL means the current queue.
static void labels(void) {
  char text[] = "my.label";
  dispatch_queue_t queue = dispatch_queue_create(text, NULL);
  text[0] = 'X';
  const char *label = dispatch_queue_get_label(queue);
  CHECK(strcmp(label, "my.label") == 0);
  CHECK(dispatch_queue_get_label(queue) == label);
  dispatch_sync(queue, ^{
    CHECK(strcmp(dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL), "my.label") == 0);
  });
  dispatch_queue_t without = dispatch_queue_create(NULL, NULL);
  CHECK(strcmp(dispatch_queue_get_label(without), "") == 0);
  CHECK(dispatch_queue_get_label(dispatch_get_main_queue())[0] != 0);
  CHECK(dispatch_queue_get_label(global_queue())[0] != 0);
  CHECK(dispatch_queue_get_label(NULL)[0] != 0);
  dispatch_release(without);
  dispatch_release(queue);
}

// Classes of quality of service, and identifiers of global queues.
static void classes(void) {
  int relative = 1;
  dispatch_queue_attr_t attributes =
      dispatch_queue_attr_make_with_qos_class(DISPATCH_QUEUE_CONCURRENT, QOS_CLASS_UTILITY, -5);
  dispatch_queue_t queue = dispatch_queue_create("queue", attributes);
  CHECK_EQUAL(dispatch_queue_get_qos_class(queue, &relative), QOS_CLASS_UTILITY);
  CHECK_EQUAL(relative, -5);
  CHECK_EQUAL(dispatch_queue_get_qos_class(queue, NULL), QOS_CLASS_UTILITY);
  CHECK(dispatch_queue_attr_make_with_qos_class(attributes, 7, 0) == attributes);
  CHECK(dispatch_queue_attr_make_with_qos_class(attributes, QOS_CLASS_DEFAULT, 1) == attributes);
  CHECK(dispatch_queue_attr_make_with_qos_class(attributes, QOS_CLASS_DEFAULT, -16) ==
        attributes);
  dispatch_release(queue);
  queue = dispatch_queue_create("queue", NULL);
  CHECK_EQUAL(dispatch_queue_get_qos_class(queue, &relative), QOS_CLASS_UNSPECIFIED);
  CHECK_EQUAL(relative, 0);
  dispatch_release(queue);

  const long identifiers[] = {
      DISPATCH_QUEUE_PRIORITY_HIGH, DISPATCH_QUEUE_PRIORITY_DEFAULT, DISPATCH_QUEUE_PRIORITY_LOW,
      DISPATCH_QUEUE_PRIORITY_BACKGROUND, QOS_CLASS_USER_INTERACTIVE, QOS_CLASS_USER_INITIATED,
      QOS_CLASS_DEFAULT, QOS_CLASS_UTILITY, QOS_CLASS_BACKGROUND,
  };
  for (size_t index = 0; index < sizeof identifiers / sizeof *identifiers; index++) {
    CHECK(dispatch_get_global_queue(identifiers[index], 0) != NULL);
    CHECK(dispatch_get_global_queue(identifiers[index], DISPATCH_QUEUE_OVERCOMMIT) != NULL);
    CHECK(dispatch_get_global_queue(identifiers[index], 4) == NULL);
  }
  CHECK(dispatch_get_global_queue(3, 0) == NULL);
  CHECK(dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_HIGH, 0) ==
        dispatch_get_global_queue(QOS_CLASS_USER_INITIATED, 0));
  CHECK(dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_LOW, 0) ==
        dispatch_get_global_queue(QOS_CLASS_UTILITY, 0));
  CHECK(dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_BACKGROUND, 0) ==
        dispatch_get_global_queue(QOS_CLASS_BACKGROUND, 0));
  CHECK(global_queue() == dispatch_get_global_queue(QOS_CLASS_DEFAULT, 0));
}

// Suspension is counted, and an inactive queue starts when it is activated.
static void suspension(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t ran = dispatch_semaphore_create(0);
  dispatch_suspend(queue);
  dispatch_suspend(queue);
  dispatch_async(queue, ^{
    note("ran");
    dispatch_semaphore_signal(ran);
  });
  dispatch_resume(queue);
  pause_for(30);
  EXPECT("");
  dispatch_resume(queue);
  WAIT(ran);
  EXPECT("ran");
  dispatch_release(queue);
  queue = dispatch_queue_create("inactive", DISPATCH_QUEUE_CONCURRENT_INACTIVE);
  dispatch_async(queue, ^{
    note("active");
    dispatch_semaphore_signal(ran);
  });
  pause_for(30);
  EXPECT("");
  dispatch_activate(queue);
  dispatch_activate(queue);
  WAIT(ran);
  EXPECT("active");
  dispatch_release(queue);
  dispatch_release(ran);
}

// Work of a queue runs on its target, and counts as work of both.
static void targets(void) {
  dispatch_queue_t target = dispatch_queue_create("target", NULL);
  dispatch_queue_t queue = dispatch_queue_create_with_target("queue", NULL, target);
  dispatch_queue_t other = dispatch_queue_create("other", NULL);
  __block int running = 0;
  for (int index = 0; index < 50; index++) {
    dispatch_queue_t chosen = index % 2 == 0 ? queue : target;
    dispatch_async(chosen, ^{
      CHECK_EQUAL(__atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST), 1);
      __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
    });
  }
  dispatch_sync(queue, ^{
    dispatch_assert_queue(queue);
    dispatch_assert_queue(target);
    dispatch_assert_queue_not(other);
  });
  dispatch_assert_queue_not(queue);
  dispatch_set_target_queue(other, target);
  dispatch_sync(other, ^{
    dispatch_assert_queue(target);
  });
  dispatch_set_target_queue(other, DISPATCH_TARGET_QUEUE_DEFAULT);
  dispatch_sync(other, ^{
    dispatch_assert_queue_not(target);
  });
  dispatch_release(other);
  dispatch_release(queue);
  dispatch_release(target);
}

// dispatch_main runs the main queue and does not return.
static void main_queue(void) {
  dispatch_queue_t queue = dispatch_get_main_queue();
  dispatch_assert_queue(queue);
  dispatch_async(global_queue(), ^{
    dispatch_sync(queue, ^{
      dispatch_assert_queue(queue);
      note("sync");
    });
    dispatch_async(queue, ^{
      CHECK(dispatch_get_current_queue() == queue);
      EXPECT("sync");
      puts("done");
      fflush(stdout);
      _exit(0);
    });
  });
  dispatch_main();
}

#ifndef REFERENCE
// Functions of Dispatch, which Swift's runtime uses in this process.
void their_async_f(void *queue, void *context, void (*work)(void *)) __asm__("dispatch_async_f");
void *their_global_queue(long identifier, unsigned long flags)
    __asm__("dispatch_get_global_queue");

static void signal_semaphore(void *context) {
  dispatch_semaphore_signal(context);
}

// Dispatch and this library run in one process, each with its own functions.
static void both_libraries(void) {
  CHECK((void *)their_async_f != (void *)dispatch_async_f);
  CHECK(their_global_queue(0, 0) != (void *)global_queue());
  dispatch_semaphore_t ran = dispatch_semaphore_create(0);
  for (int index = 0; index < 100; index++) {
    their_async_f(their_global_queue(0, 0), ran, signal_semaphore);
    dispatch_async_f(global_queue(), ran, signal_semaphore);
  }
  for (int index = 0; index < 200; index++) WAIT(ran);
  dispatch_release(ran);
}
#endif

static void release_object(void *object) {
  dispatch_release((dispatch_queue_t)object);
}

static void nothing(void *context) {
  (void)context;
}

// The last work of a queue may release it while the call that submits the work has not returned.
static void last_release(void) {
  dispatch_queue_attr_t attributes[] = {DISPATCH_QUEUE_SERIAL, DISPATCH_QUEUE_CONCURRENT};
  for (int round = 0; round < 20000; round++) {
    dispatch_queue_t queue = dispatch_queue_create("released", attributes[round % 2]);
    dispatch_async_f(queue, NULL, nothing);
    if (round % 4 < 2)
      dispatch_async_f(queue, queue, release_object);
    else
      dispatch_barrier_async_f(queue, queue, release_object);
  }
}

const struct row queue_rows[] = {
#ifndef REFERENCE
    {"both_libraries", both_libraries},
#endif
    {"function_forms", function_forms},
    {"block_forms", block_forms},
    {"barriers", barriers},
    {"last_release", last_release},
    {"labels", labels},
    {"classes", classes},
    {"suspension", suspension},
    {"targets", targets},
    {"main_queue", main_queue},
    {NULL, NULL},
};
