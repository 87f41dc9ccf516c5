#include "tool.h"

// The runtime of blocks, whose header a program need not have.
void *_Block_copy(const void *block);
void _Block_release(const void *block);

static dispatch_queue_t make_queue(void) {
  return dispatch_queue_create("queue", NULL);
}

// An item is a block: it can be called, copied, captured and submitted.
static void items(void) {
  dispatch_queue_t queue = make_queue();
  __block int runs = 0;
  int step = 1;
  dispatch_block_t item = dispatch_block_create(0, ^{
    runs += step;
  });
  item();
  dispatch_sync(queue, item);
  dispatch_async(queue, item);
  dispatch_barrier_async(queue, item);
  dispatch_barrier_sync(queue, item);
  CHECK_EQUAL(runs, 5);
  dispatch_block_t copy = _Block_copy(item);
  CHECK(copy == item);
  _Block_release(copy);
  dispatch_block_t outer = _Block_copy(^{
    item();
    item();
  });
  _Block_release(item);
  dispatch_sync(queue, outer);
  _Block_release(outer);
  CHECK_EQUAL(runs, 7);
  dispatch_block_t inner = dispatch_block_create(0, ^{
    runs = 100;
  });
  dispatch_block_t nested = dispatch_block_create(DISPATCH_BLOCK_BARRIER, inner);
  _Block_release(inner);
  dispatch_async(queue, nested);
  CHECK(dispatch_block_wait(nested, DISPATCH_TIME_FOREVER) == 0);
  CHECK_EQUAL(runs, 100);
  _Block_release(nested);
  dispatch_block_perform(DISPATCH_BLOCK_DETACHED, ^{
    runs = 200;
  });
  CHECK_EQUAL(runs, 200);
  dispatch_release(queue);
}

// Flags and classes that are unknown give no item.
static void item_flags(void) {
  dispatch_block_t block = ^{
  };
  CHECK(dispatch_block_create(0x80000000ul, block) == NULL);
  CHECK(dispatch_block_create(0x100, block) == NULL);
  CHECK(dispatch_block_create_with_qos_class(0, 7, 0, block) == NULL);
  CHECK(dispatch_block_create_with_qos_class(0, QOS_CLASS_UTILITY, 1, block) == NULL);
  CHECK(dispatch_block_create_with_qos_class(0, QOS_CLASS_UTILITY, -16, block) == NULL);
  dispatch_block_t item = dispatch_block_create_with_qos_class(
      DISPATCH_BLOCK_ENFORCE_QOS_CLASS, QOS_CLASS_UTILITY, -1, block);
  CHECK(item != NULL);
  _Block_release(item);
  // The flag makes a barrier of an item.
  dispatch_queue_t queue = dispatch_queue_create("queue", DISPATCH_QUEUE_CONCURRENT);
  __block int running = 0;
  for (int index = 0; index < 10; index++) {
    dispatch_async(queue, ^{
      __atomic_fetch_add(&running, 1, __ATOMIC_SEQ_CST);
      pause_for(1);
      __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
    });
  }
  item = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{
    CHECK_EQUAL(__atomic_load_n(&running, __ATOMIC_SEQ_CST), 0);
  });
  dispatch_async(queue, item);
  CHECK(dispatch_block_wait(item, DISPATCH_TIME_FOREVER) == 0);
  _Block_release(item);
  dispatch_release(queue);
}

// A wait ends with the run of an item, and notifications follow it.
static void item_waits(void) {
  dispatch_queue_t queue = make_queue();
  dispatch_semaphore_t go = dispatch_semaphore_create(0);
  dispatch_block_t item = dispatch_block_create(0, ^{
    WAIT(go);
    note("item");
  });
  dispatch_block_t second = dispatch_block_create(0, ^{
    note("second");
  });
  dispatch_block_notify(item, queue, ^{
    note("first");
  });
  dispatch_block_notify(item, queue, second);
  dispatch_async(queue, item);
  CHECK(dispatch_block_wait(item, from_now(20)) != 0);
  EXPECT("");
  dispatch_semaphore_signal(go);
  CHECK(dispatch_block_wait(item, DISPATCH_TIME_FOREVER) == 0);
  CHECK(dispatch_block_wait(second, DISPATCH_TIME_FOREVER) == 0);
  EXPECT("item first second");
  dispatch_block_notify(item, queue, ^{
    note("late");
  });
  dispatch_sync(queue, ^{});
  EXPECT("late");
  _Block_release(item);
  _Block_release(second);
  dispatch_release(go);
  dispatch_release(queue);
}

// A cancelled item does not run, which ends waits and notifies.
static void item_cancellation(void) {
  dispatch_queue_t queue = make_queue();
  dispatch_block_t item = dispatch_block_create(0, ^{
    note("item");
  });
  CHECK(dispatch_block_testcancel(item) == 0);
  dispatch_block_notify(item, queue, ^{
    note("notified");
  });
  dispatch_suspend(queue);
  dispatch_async(queue, item);
  dispatch_block_cancel(item);
  dispatch_block_cancel(item);
  CHECK(dispatch_block_testcancel(item) != 0);
  dispatch_resume(queue);
  CHECK(dispatch_block_wait(item, DISPATCH_TIME_FOREVER) == 0);
  dispatch_sync(queue, ^{});
  EXPECT("notified");
  _Block_release(item);
  dispatch_release(queue);
}

// An item can be submitted by each call that takes a block.
static void item_submissions(void) {
  dispatch_queue_t queue = make_queue();
  dispatch_group_t group = dispatch_group_create();
  dispatch_semaphore_t done = dispatch_semaphore_create(0);
  dispatch_block_t item = dispatch_block_create(0, ^{
    note("item");
  });
  dispatch_block_t last = dispatch_block_create(0, ^{
    note("last");
    dispatch_semaphore_signal(done);
  });
  dispatch_group_async(group, queue, item);
  CHECK(dispatch_group_wait(group, DISPATCH_TIME_FOREVER) == 0);
  dispatch_group_notify(group, queue, last);
  WAIT(done);
  dispatch_after(from_now(10), queue, last);
  WAIT(done);
  dispatch_source_t source =
      dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
  dispatch_source_set_event_handler(source, last);
  dispatch_activate(source);
  dispatch_source_merge_data(source, 1);
  WAIT(done);
  EXPECT("item last last last");
  dispatch_source_cancel(source);
  dispatch_release(source);
  _Block_release(item);
  _Block_release(last);
  dispatch_release(group);
  dispatch_release(queue);
}

static dispatch_semaphore_t freed;

/// Checks that each copy of a block is released once it is of no use.
///
/// `use` submits blocks that capture an item, which never runs. The notification of the item comes
/// at its end: after the last of these blocks has been freed.
static void expect_release(void (^use)(dispatch_block_t captured), const char *record) {
  dispatch_block_t item = dispatch_block_create(0, ^{
    CHECK(false);
  });
  dispatch_block_notify(item, global_queue(), ^{
    dispatch_semaphore_signal(freed);
  });
  use(item);
  _Block_release(item);
  WAIT(freed);
  EXPECT(record);
}

// The library releases each block that it has copied, after its last call.
static void block_ends(void) {
  freed = dispatch_semaphore_create(0);
  dispatch_queue_t queue = make_queue();
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_block_t block = ^{
          note("run");
          CHECK(dispatch_block_testcancel(captured) == 0);
        };
        dispatch_async(queue, block);
        dispatch_barrier_async(queue, block);
        dispatch_after(from_now(5), queue, block);
        dispatch_after(DISPATCH_TIME_FOREVER, queue, block);
        dispatch_sync(queue, block);
      },
      "run run run run");
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_group_t group = dispatch_group_create();
        dispatch_group_async(group, queue, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
          note("work");
        });
        dispatch_group_notify(group, queue, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
          note("end");
        });
        dispatch_release(group);
      },
      "work end");
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_release(dispatch_data_create("abc", 3, queue, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
          note("destroyed");
        }));
      },
      "destroyed");
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_block_t outer = dispatch_block_create(0, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
          note("item");
        });
        dispatch_async(queue, outer);
        _Block_release(outer);
      },
      "item");
  if (!IS_REFERENCE) {
    expect_release(
        ^(dispatch_block_t captured) {
          dispatch_block_t outer = dispatch_block_create(0, ^{
            CHECK(dispatch_block_testcancel(captured) == 0);
          });
          // Both keep the item, one of them for an hour.
          dispatch_after(from_now(3600000), queue, outer);
          dispatch_suspend(queue);
          dispatch_async(queue, outer);
          dispatch_block_cancel(outer);
          _Block_release(outer);
        },
        "");
    dispatch_resume(queue);
  }
  dispatch_release(queue);
}

// So it does with the handlers of sources and channels.
static void handler_ends(void) {
  freed = dispatch_semaphore_create(0);
  dispatch_queue_t queue = make_queue();
  dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_source_set_event_handler(source, ^{
          dispatch_block_cancel(captured);
        });
        dispatch_source_set_event_handler(source, ^{});
      },
      "");
  dispatch_activate(source);
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_source_set_event_handler(source, ^{
          dispatch_block_cancel(captured);
        });
        dispatch_source_set_cancel_handler(source, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
          note("cancelled");
        });
        dispatch_source_cancel(source);
        dispatch_release(source);
      },
      "cancelled");
  expect_release(
      ^(dispatch_block_t captured) {
        int descriptor = file_of_size(100);
        dispatch_io_t channel =
            dispatch_io_create(DISPATCH_IO_STREAM, descriptor, queue, ^(int error) {
              CHECK(dispatch_block_testcancel(captured) == 0);
              note("closed%d", error);
              close(descriptor);
            });
        dispatch_io_read(channel, 0, 60, queue,
                         ^(bool done, dispatch_data_t data, int error) {
                           CHECK(dispatch_block_testcancel(captured) == 0);
                           note("%d/%zu/%d", done, dispatch_data_get_size(data), error);
                         });
        dispatch_io_barrier(channel, ^{
          CHECK(dispatch_block_testcancel(captured) == 0);
        });
        dispatch_release(channel);
      },
      "1/60/0 closed0");
  expect_release(
      ^(dispatch_block_t captured) {
        dispatch_io_t none = dispatch_io_create(7, 0, queue, ^(int error) {
          CHECK(error == 0 && dispatch_block_testcancel(captured) == 0);
        });
        CHECK(none == NULL);
      },
      "");
  dispatch_release(queue);
}

const struct row item_rows[] = {
    {"items", items},
    {"item_flags", item_flags},
    {"item_waits", item_waits},
    {"item_cancellation", item_cancellation},
    {"item_submissions", item_submissions},
    {"block_ends", block_ends},
    {"handler_ends", handler_ends},
    {NULL, NULL},
};
