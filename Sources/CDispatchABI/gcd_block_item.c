#define _GNU_SOURCE

#include "gcd_blocks.h"
#include "gcd_fail.h"
#include "gcd_qos.h"

#include <dlfcn.h>
#include <stdatomic.h>

// A block that is an item: the call performs the item, copies and releases of the block keep and
// release it. Other block forms recognize such a block by its invoke function.

/// A block whose one captured value is an item.
struct item_block {
  struct gcdimpl_block header;
  gcd_item_t item;
};

/// What a block with helpers for copies refers to.
struct item_descriptor {
  uintptr_t reserved;
  uintptr_t size;
  void (*copy)(void *to, const void *from);
  void (*dispose)(const void *block);
};

static void perform(void *block) {
  gcdimpl_item_perform(((struct item_block *)block)->item);
}

static void copy_item(void *to, const void *from) {
  (void)to;
  gcdimpl_item_retain(((const struct item_block *)from)->item);
}

static void dispose_item(const void *block) {
  gcdimpl_item_release(((const struct item_block *)block)->item);
}

static const struct item_descriptor descriptor = {
    0,
    sizeof(struct item_block),
    copy_item,
    dispose_item,
};

/// The flag of a block with helpers for copies.
static const int32_t has_helpers = 1 << 25;

extern void *_NSConcreteStackBlock[];

gcd_item_t gcdimpl_item(const void *block) {
  return gcdimpl_invoke(block) == perform ? ((const struct item_block *)block)->item : NULL;
}

/// Copies a block that the program will release.
///
/// The program may have a runtime of blocks beside the one in this library, and runtimes differ in
/// how they count the references of a copy. So the copy comes from the program's runtime.
static void *copy_for_program(const void *block) {
  typedef void *(*copy_function)(const void *);
  static _Atomic(copy_function) found;
  copy_function copy = atomic_load_explicit(&found, memory_order_acquire);
  if (!copy) {
    copy = (copy_function)dlsym(RTLD_DEFAULT, "_Block_copy");
    if (!copy) copy = _Block_copy;
    atomic_store_explicit(&found, copy, memory_order_release);
  }
  return copy(block);
}

gcd_block_t gcd_block_create(unsigned long flags, gcd_block_t block) {
  return gcd_block_create_with_qos_class(flags, GCD_QOS_UNSPECIFIED, 0, block);
}

gcd_block_t gcd_block_create_with_qos_class(unsigned long flags, gcd_qos_class_t qos_class,
                                            int relative_priority, gcd_block_t block) {
  // Dispatch permits two flags without a name.
  static const unsigned long permitted = 0xff, known = 0x3f;
  if ((flags & ~permitted) || !gcdimpl_qos_is_valid(qos_class, relative_priority)) return NULL;
  gcd_item_t item =
      gcdimpl_item_create(flags & known, gcdimpl_qos_known(qos_class), relative_priority,
                          gcdimpl_copy(block), gcdimpl_call, gcdimpl_release_block);
  struct item_block on_stack = {
      {_NSConcreteStackBlock, has_helpers, 0, perform, &descriptor},
      item,
  };
  void *copy = copy_for_program(&on_stack);
  // The copy has retained the item.
  gcdimpl_item_release(item);
  return (gcd_block_t)copy;
}

void gcd_block_perform(unsigned long flags, gcd_block_t block) {
  // The flags are of use to a queue only.
  (void)flags;
  block();
}

/// Returns the item of a block; stops the program if it has none.
static gcd_item_t require_item(gcd_block_t block, const char *message) {
  gcd_item_t item = gcdimpl_item(block);
  if (!item) gcdimpl_fail(message);
  return item;
}

intptr_t gcd_block_wait(gcd_block_t block, gcd_time_t timeout) {
  return gcdimpl_item_wait(
      require_item(block, "dispatch_block_wait: dispatch_block_create did not create the block."),
      timeout);
}

void gcd_block_notify(gcd_block_t block, gcd_queue_t queue, gcd_block_t notification) {
  gcd_item_t item = require_item(
      block, "dispatch_block_notify: dispatch_block_create did not create the block.");
  gcd_item_t second = gcdimpl_item(notification);
  if (second) return gcdimpl_item_notify_item(item, queue, second);
  gcdimpl_item_notify(item, queue, gcdimpl_copy(notification), gcdimpl_call_and_release);
}

void gcd_block_cancel(gcd_block_t block) {
  gcdimpl_item_cancel(require_item(
      block, "dispatch_block_cancel: dispatch_block_create did not create the block."));
}

intptr_t gcd_block_testcancel(gcd_block_t block) {
  return gcdimpl_item_testcancel(require_item(
      block, "dispatch_block_testcancel: dispatch_block_create did not create the block."));
}
