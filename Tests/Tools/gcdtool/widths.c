#include "tool.h"

// Queues on which more work runs at once than on those of other rows.

// 32 queues run at once on an overcommit queue, although all but one only spin.
static void overcommit(void) {
  dispatch_queue_t global =
      dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, DISPATCH_QUEUE_OVERCOMMIT);
  __block int count = 0;
  dispatch_semaphore_t last = dispatch_semaphore_create(0);
  for (int index = 0; index < 32; index++) {
    dispatch_queue_t queue = dispatch_queue_create("spinning", NULL);
    dispatch_set_target_queue(queue, global);
    dispatch_async(queue, ^{
      if (__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) == 32) dispatch_semaphore_signal(last);
      while (__atomic_load_n(&count, __ATOMIC_SEQ_CST) < 32) {}
    });
    dispatch_release(queue);
  }
  WAIT(last);
}

#ifndef REFERENCE
// Dispatch stops a program that sets the width of a serial queue.

/// Functions that wait until all of them run.
struct meeting {
  int expected;
  int arrived;
  dispatch_semaphore_t all_arrived;
};

static void meet(void *context) {
  struct meeting *meeting = context;
  if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_SEQ_CST) == meeting->expected)
    for (int index = 0; index < meeting->expected; index++)
      dispatch_semaphore_signal(meeting->all_arrived);
  WAIT(meeting->all_arrived);
}

/// Requires that functions run concurrently on a queue.
static void require_concurrent(dispatch_queue_t queue, int count) {
  struct meeting meeting = {count, 0, dispatch_semaphore_create(0)};
  dispatch_group_t group = dispatch_group_create();
  for (int index = 0; index < count; index++)
    dispatch_group_async_f(group, queue, &meeting, meet);
  CHECK_EQUAL(dispatch_group_wait(group, from_now(10000)), 0);
  dispatch_release(group);
  dispatch_release(meeting.all_arrived);
}

static int running;
static int finished;

static void run_alone(void *context) {
  CHECK_EQUAL(__atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST), 1);
  if (context) CHECK_EQUAL(__atomic_load_n(&finished, __ATOMIC_SEQ_CST), (long)context - 1);
  __atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
}

/// Submits functions that must run one at a time, and in order.
static void submit_in_order(dispatch_queue_t queue) {
  finished = 0;
  for (long index = 1; index <= 100; index++) dispatch_async_f(queue, (void *)index, run_alone);
}

// A width of 1 makes a concurrent queue serial for the work that follows, a greater one concurrent.
static void width(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", DISPATCH_QUEUE_CONCURRENT);
  dispatch_queue_set_width(queue, 0);
  submit_in_order(queue);
  dispatch_queue_set_width(queue, 4);
  dispatch_barrier_sync_f(queue, NULL, run_alone);
  CHECK_EQUAL(finished, 101);
  require_concurrent(queue, 4);
  dispatch_queue_set_width(queue, 1);
  submit_in_order(queue);
  dispatch_sync_f(queue, (void *)101, run_alone);
  dispatch_queue_set_width(queue, DISPATCH_QUEUE_WIDTH_MAX_LOGICAL_CPUS);
  require_concurrent(queue, 2);
  dispatch_release(queue);
}

// A serial queue stays serial.
static void width_of_serial(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", DISPATCH_QUEUE_SERIAL);
  dispatch_queue_set_width(queue, 4);
  submit_in_order(queue);
  dispatch_sync_f(queue, (void *)101, run_alone);
  dispatch_release(queue);
}

// The queues that all parts of a program share keep their width, like in Dispatch.
static void width_of_shared(void) {
  dispatch_queue_set_width(dispatch_get_main_queue(), 4);
  dispatch_queue_set_width(global_queue(), 1);
  require_concurrent(global_queue(), 4);
}

static void release_queue(void *object) {
  dispatch_release((dispatch_queue_t)object);
}

static void nothing(void *context) {
  (void)context;
}

// The last work of such a queue may release it too.
static void width_and_release(void) {
  for (int round = 0; round < 20000; round++) {
    dispatch_queue_t queue = dispatch_queue_create("released", DISPATCH_QUEUE_CONCURRENT);
    dispatch_queue_set_width(queue, 4);
    if (round % 2) dispatch_async_f(queue, NULL, nothing);
    if (round % 4 < 2)
      dispatch_async_f(queue, queue, release_queue);
    else
      dispatch_barrier_async_f(queue, queue, release_queue);
  }
}
#endif

const struct row width_rows[] = {
    {"overcommit", overcommit},
#ifndef REFERENCE
    {"width", width},
    {"width_of_serial", width_of_serial},
    {"width_of_shared", width_of_shared},
    {"width_and_release", width_and_release},
#endif
    {NULL, NULL},
};
