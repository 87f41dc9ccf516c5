#include "gcd_blocks.h"
#include "gcd_fail.h"

// The block forms of data, channels and sources.

// The library compares destructors with these two, and never calls them.
const gcd_block_t gcd_data_destructor_free = ^{
  gcdimpl_fail("DISPATCH_DATA_DESTRUCTOR_FREE: A program does not call it.");
};
const gcd_block_t gcd_data_destructor_munmap = ^{
  gcdimpl_fail("DISPATCH_DATA_DESTRUCTOR_MUNMAP: A program does not call it.");
};

gcd_data_t gcd_data_create(const void *buffer, size_t size, gcd_queue_t queue,
                           gcd_block_t destructor) {
  if (!destructor) return gcdimpl_data_create(buffer, size, queue, GCD_DESTRUCTOR_COPY, NULL, NULL);
  if (destructor == gcd_data_destructor_free)
    return gcdimpl_data_create(buffer, size, queue, GCD_DESTRUCTOR_FREE, NULL, NULL);
  if (destructor == gcd_data_destructor_munmap)
    return gcdimpl_data_create(buffer, size, queue, GCD_DESTRUCTOR_MUNMAP, NULL, NULL);
  return gcdimpl_data_create(buffer, size, queue, GCD_DESTRUCTOR_FUNCTION,
                             gcdimpl_copy(destructor), gcdimpl_call_and_release);
}

gcd_data_t gcd_data_create_f(const void *buffer, size_t size, gcd_queue_t queue,
                             gcd_function_t destructor) {
  // A program without blocks has the constants too, as functions.
  const void *same = (const void *)destructor;
  if (!destructor || same == (const void *)gcd_data_destructor_free ||
      same == (const void *)gcd_data_destructor_munmap)
    return gcd_data_create(buffer, size, queue, (gcd_block_t)same);
  return gcdimpl_data_create(buffer, size, queue, GCD_DESTRUCTOR_FUNCTION, (void *)buffer,
                             destructor);
}

bool gcd_data_apply(gcd_data_t data, gcd_data_applier_t applier) {
  return gcd_data_apply_f(data, (void *)applier, gcdimpl_invoke(applier));
}

static void call_data_handler(void *context, gcd_data_t data, int error) {
  ((gcd_data_error_handler_t)context)(data, error);
  _Block_release(context);
}

static void call_cleanup(void *context, int error) {
  if (!context) return;
  ((gcd_error_handler_t)context)(error);
  _Block_release(context);
}

static void call_io_handler(void *context, bool done, gcd_data_t data, int error) {
  ((gcd_io_handler_t)context)(done, data, error);
  if (done) _Block_release(context);
}

void gcd_read(int descriptor, size_t length, gcd_queue_t queue,
              gcd_data_error_handler_t handler) {
  gcd_read_f(descriptor, length, queue, gcdimpl_copy(handler), call_data_handler);
}

void gcd_write(int descriptor, gcd_data_t data, gcd_queue_t queue,
               gcd_data_error_handler_t handler) {
  gcd_write_f(descriptor, data, queue, gcdimpl_copy(handler), call_data_handler);
}

/// Releases the cleanup handler if no channel was created, which would call it.
static gcd_io_t created(gcd_io_t channel, void *cleanup) {
  if (!channel && cleanup) _Block_release(cleanup);
  return channel;
}

gcd_io_t gcd_io_create(unsigned long type, int descriptor, gcd_queue_t queue,
                       gcd_error_handler_t cleanup) {
  void *copy = cleanup ? gcdimpl_copy(cleanup) : NULL;
  return created(gcd_io_create_f(type, descriptor, queue, copy, call_cleanup), copy);
}

gcd_io_t gcd_io_create_with_path(unsigned long type, const char *path, int flags, mode_t mode,
                                 gcd_queue_t queue, gcd_error_handler_t cleanup) {
  void *copy = cleanup ? gcdimpl_copy(cleanup) : NULL;
  return created(
      gcd_io_create_with_path_f(type, path, flags, mode, queue, copy, call_cleanup), copy);
}

gcd_io_t gcd_io_create_with_io(unsigned long type, gcd_io_t channel, gcd_queue_t queue,
                               gcd_error_handler_t cleanup) {
  void *copy = cleanup ? gcdimpl_copy(cleanup) : NULL;
  return created(gcd_io_create_with_io_f(type, channel, queue, copy, call_cleanup), copy);
}

void gcd_io_read(gcd_io_t channel, off_t offset, size_t length, gcd_queue_t queue,
                 gcd_io_handler_t handler) {
  gcd_io_read_f(channel, offset, length, queue, gcdimpl_copy(handler), call_io_handler);
}

void gcd_io_write(gcd_io_t channel, off_t offset, gcd_data_t data, gcd_queue_t queue,
                  gcd_io_handler_t handler) {
  gcd_io_write_f(channel, offset, data, queue, gcdimpl_copy(handler), call_io_handler);
}

void gcd_io_barrier(gcd_io_t channel, gcd_block_t barrier) {
  gcd_io_barrier_f(channel, gcdimpl_copy(barrier), gcdimpl_call_and_release);
}

static void set_handler(gcd_source_t source, int kind, gcd_block_t handler) {
  gcdimpl_source_set_handler(source, kind, gcdimpl_copy(handler), gcdimpl_call,
                             gcdimpl_release_block);
}

void gcd_source_set_event_handler(gcd_source_t source, gcd_block_t handler) {
  if (!handler) return gcd_source_set_event_handler_f(source, NULL);
  set_handler(source, GCD_HANDLER_EVENT, handler);
}

void gcd_source_set_cancel_handler(gcd_source_t source, gcd_block_t handler) {
  if (!handler) return gcd_source_set_cancel_handler_f(source, NULL);
  set_handler(source, GCD_HANDLER_CANCEL, handler);
}

void gcd_source_set_registration_handler(gcd_source_t source, gcd_block_t handler) {
  if (!handler) return gcd_source_set_registration_handler_f(source, NULL);
  set_handler(source, GCD_HANDLER_REGISTRATION, handler);
}
