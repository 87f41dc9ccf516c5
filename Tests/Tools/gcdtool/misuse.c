#include "tool.h"

// Each row stops the program, with a message that names the function.

static void unbalanced_leave(void) {
  dispatch_group_leave(dispatch_group_create());
}

static void unbalanced_resume(void) {
  dispatch_resume(dispatch_queue_create("queue", NULL));
}

static void resumed_inactive_queue(void) {
  dispatch_resume(dispatch_queue_create("queue", DISPATCH_QUEUE_SERIAL_INACTIVE));
}

static void wrong_queue(void) {
  dispatch_assert_queue(dispatch_queue_create("queue", NULL));
}

static void wrong_queue_not(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_sync(queue, ^{
    dispatch_assert_queue_not(queue);
  });
}

static void sync_in_itself(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_sync(queue, ^{
    dispatch_sync(queue, ^{});
  });
}

static dispatch_once_t predicate;

static void again(void *context) {
  dispatch_once_f(&predicate, context, again);
}

static void recursive_once(void) {
  dispatch_once_f(&predicate, NULL, again);
}

static void second_wait(void) {
  dispatch_block_t item = dispatch_block_create(0, ^{
  });
  item();
  dispatch_block_wait(item, DISPATCH_TIME_FOREVER);
  dispatch_block_wait(item, DISPATCH_TIME_FOREVER);
}

static void wait_for_block(void) {
  dispatch_block_wait(
      ^{
      },
      DISPATCH_TIME_FOREVER);
}

static void released_suspended(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_suspend(queue);
  dispatch_release(queue);
  pause_for(1000);
}

static void released_inactive_source(void) {
  dispatch_source_t source = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, NULL);
  dispatch_source_cancel(source);
  dispatch_release(source);
  pause_for(1000);
}

const struct row misuse_rows[] = {
    {"unbalanced_leave", unbalanced_leave},
    {"unbalanced_resume", unbalanced_resume},
    {"resumed_inactive_queue", resumed_inactive_queue},
    {"wrong_queue", wrong_queue},
    {"wrong_queue_not", wrong_queue_not},
    {"sync_in_itself", sync_in_itself},
    {"recursive_once", recursive_once},
    {"second_wait", second_wait},
    {"wait_for_block", wait_for_block},
    {"released_suspended", released_suspended},
    {"released_inactive_source", released_inactive_source},
    {NULL, NULL},
};
