#include "gcd_blocks.h"

void gcdimpl_call(void *block) {
  ((gcd_block_t)block)();
}

void gcdimpl_call_and_release(void *block) {
  ((gcd_block_t)block)();
  _Block_release(block);
}

void gcdimpl_release_block(void *block) {
  _Block_release(block);
}

void gcd_async(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_async(queue, NULL, item, false);
  gcd_async_f(queue, gcdimpl_copy(block), gcdimpl_call_and_release);
}

void gcd_barrier_async(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_async(queue, NULL, item, true);
  gcd_barrier_async_f(queue, gcdimpl_copy(block), gcdimpl_call_and_release);
}

// Calls that wait use the caller's block, without a copy.

void gcd_sync(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_sync(queue, item, false);
  gcd_sync_f(queue, (void *)block, gcdimpl_invoke(block));
}

void gcd_barrier_sync(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_sync(queue, item, true);
  gcd_barrier_sync_f(queue, (void *)block, gcdimpl_invoke(block));
}

void gcd_async_and_wait(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_async_and_wait(queue, item, false);
  gcd_async_and_wait_f(queue, (void *)block, gcdimpl_invoke(block));
}

void gcd_barrier_async_and_wait(gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_async_and_wait(queue, item, true);
  gcd_barrier_async_and_wait_f(queue, (void *)block, gcdimpl_invoke(block));
}

void gcd_apply(size_t iterations, gcd_queue_t queue, gcd_apply_block_t block) {
  gcd_apply_f(iterations, queue, (void *)block, gcdimpl_invoke(block));
}

void gcd_after(gcd_time_t when, gcd_queue_t queue, gcd_block_t block) {
  // A copy that never runs would never be released.
  if (gcdimpl_is_forever(when)) return;
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_after(when, queue, item);
  gcd_after_f(when, queue, gcdimpl_copy(block), gcdimpl_call_and_release);
}

void gcd_group_async(gcd_group_t group, gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_async(queue, group, item, false);
  gcd_group_async_f(group, queue, gcdimpl_copy(block), gcdimpl_call_and_release);
}

void gcd_group_notify(gcd_group_t group, gcd_queue_t queue, gcd_block_t block) {
  gcd_item_t item = gcdimpl_item(block);
  if (item) return gcdimpl_item_group_notify(group, queue, item);
  gcd_group_notify_f(group, queue, gcdimpl_copy(block), gcdimpl_call_and_release);
}

void gcd_once(gcd_once_t *predicate, gcd_block_t block) {
  gcd_once_f(predicate, (void *)block, gcdimpl_invoke(block));
}
