// The block forms of the C interface, and the layout of blocks.
//
// Each block form calls the function form with the block as the context. The compiler passes a
// block to its invoke function as the first argument, so a block and that function are a context
// and a function.

#ifndef GCD_BLOCKS_H
#define GCD_BLOCKS_H

#include "gcd_abi.h"

typedef void (^gcd_block_t)(void);
typedef void (^gcd_apply_block_t)(size_t iteration);
typedef bool (^gcd_data_applier_t)(gcd_data_t _Nonnull region, size_t offset,
                                   const void *_Nonnull buffer, size_t size);
typedef void (^gcd_io_handler_t)(bool done, gcd_data_t _Nullable data, int error);
typedef void (^gcd_error_handler_t)(int error);
typedef void (^gcd_data_error_handler_t)(gcd_data_t _Nullable data, int error);

/// The start of every block, as the compiler lays it out.
struct gcdimpl_block {
  void *_Nullable isa;
  int32_t flags;
  int32_t reserved;
  /// A function, whose first parameter is the block.
  void *_Nonnull invoke;
  const void *_Nonnull descriptor;
};

// The runtime of blocks.
void *_Nonnull _Block_copy(const void *_Nonnull block);
void _Block_release(const void *_Nonnull block);

/// Returns the function that runs a block: its parameters are the block and those of the block.
static inline void *_Nonnull gcdimpl_invoke(const void *_Nonnull block) {
  return ((const struct gcdimpl_block *)block)->invoke;
}

/// Copies a block, or retains it if it is a copy already.
static inline void *_Nonnull gcdimpl_copy(const void *_Nonnull block) {
  return _Block_copy(block);
}

/// Calls a block without parameters.
void gcdimpl_call(void *_Nullable block);
/// Calls a block without parameters, and releases it.
void gcdimpl_call_and_release(void *_Nullable block);
/// Releases a block.
void gcdimpl_release_block(void *_Nullable block);

/// Returns the item of a block that `gcd_block_create` returned; NULL for every other block.
gcd_item_t _Nullable gcdimpl_item(const void *_Nonnull block);

// queue.h
void gcd_async(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_sync(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_async_and_wait(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_barrier_async(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_barrier_sync(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_barrier_async_and_wait(gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);
void gcd_apply(size_t iterations, gcd_queue_t _Nullable queue, gcd_apply_block_t _Nonnull block);
void gcd_after(gcd_time_t when, gcd_queue_t _Nonnull queue, gcd_block_t _Nonnull block);

// block.h
gcd_block_t _Nullable gcd_block_create(unsigned long flags, gcd_block_t _Nonnull block);
gcd_block_t _Nullable gcd_block_create_with_qos_class(unsigned long flags,
                                                      gcd_qos_class_t qos_class,
                                                      int relative_priority,
                                                      gcd_block_t _Nonnull block);
void gcd_block_perform(unsigned long flags, gcd_block_t _Nonnull block);
intptr_t gcd_block_wait(gcd_block_t _Nonnull block, gcd_time_t timeout);
void gcd_block_notify(gcd_block_t _Nonnull block, gcd_queue_t _Nonnull queue,
                      gcd_block_t _Nonnull notification);
void gcd_block_cancel(gcd_block_t _Nonnull block);
intptr_t gcd_block_testcancel(gcd_block_t _Nonnull block);

// group.h
void gcd_group_async(gcd_group_t _Nonnull group, gcd_queue_t _Nonnull queue,
                     gcd_block_t _Nonnull block);
void gcd_group_notify(gcd_group_t _Nonnull group, gcd_queue_t _Nonnull queue,
                      gcd_block_t _Nonnull block);

// once.h
void gcd_once(gcd_once_t *_Nonnull predicate, gcd_block_t _Nonnull block);

// data.h
extern const gcd_block_t _Nonnull gcd_data_destructor_free;
extern const gcd_block_t _Nonnull gcd_data_destructor_munmap;
gcd_data_t _Nonnull gcd_data_create(const void *_Nullable buffer, size_t size,
                                    gcd_queue_t _Nullable queue,
                                    gcd_block_t _Nullable destructor);
bool gcd_data_apply(gcd_data_t _Nonnull data, gcd_data_applier_t _Nonnull applier);

// io.h
void gcd_read(int descriptor, size_t length, gcd_queue_t _Nonnull queue,
              gcd_data_error_handler_t _Nonnull handler);
void gcd_write(int descriptor, gcd_data_t _Nonnull data, gcd_queue_t _Nonnull queue,
               gcd_data_error_handler_t _Nonnull handler);
gcd_io_t _Nullable gcd_io_create(unsigned long type, int descriptor, gcd_queue_t _Nonnull queue,
                                 gcd_error_handler_t _Nullable cleanup);
gcd_io_t _Nullable gcd_io_create_with_path(unsigned long type, const char *_Nonnull path,
                                           int flags, mode_t mode, gcd_queue_t _Nonnull queue,
                                           gcd_error_handler_t _Nullable cleanup);
gcd_io_t _Nullable gcd_io_create_with_io(unsigned long type, gcd_io_t _Nonnull channel,
                                         gcd_queue_t _Nonnull queue,
                                         gcd_error_handler_t _Nullable cleanup);
void gcd_io_read(gcd_io_t _Nonnull channel, off_t offset, size_t length,
                 gcd_queue_t _Nonnull queue, gcd_io_handler_t _Nonnull handler);
void gcd_io_write(gcd_io_t _Nonnull channel, off_t offset, gcd_data_t _Nonnull data,
                  gcd_queue_t _Nonnull queue, gcd_io_handler_t _Nonnull handler);
void gcd_io_barrier(gcd_io_t _Nonnull channel, gcd_block_t _Nonnull barrier);

// source.h
void gcd_source_set_event_handler(gcd_source_t _Nonnull source, gcd_block_t _Nullable handler);
void gcd_source_set_cancel_handler(gcd_source_t _Nonnull source, gcd_block_t _Nullable handler);
void gcd_source_set_registration_handler(gcd_source_t _Nonnull source,
                                         gcd_block_t _Nullable handler);

#endif
