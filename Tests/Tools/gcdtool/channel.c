#include "channel.h"

static void record(const char *name, bool done, dispatch_data_t data, int error) {
  char text[64] = "NULL";
  if (data && dispatch_data_get_size(data) == 0) strcpy(text, "empty");
  if (data && dispatch_data_get_size(data) > 0)
    snprintf(text, sizeof text, "%zu", dispatch_data_get_size(data));
  if (error) note("%s%d/%s/%d", name, done, text, error);
  else note("%s%d/%s", name, done, text);
}

static void prepare(struct channel *channel) {
  channel->queue = dispatch_queue_create("handlers", NULL);
  channel->done = dispatch_semaphore_create(0);
  channel->cleaned = dispatch_semaphore_create(0);
}

struct channel open_channel(dispatch_io_type_t type, int descriptor) {
  struct channel channel;
  prepare(&channel);
  dispatch_semaphore_t cleaned = channel.cleaned;
  channel.io = dispatch_io_create(type, descriptor, channel.queue, ^(int error) {
    note("c%d", error);
    dispatch_semaphore_signal(cleaned);
  });
  CHECK(channel.io != NULL);
  return channel;
}

struct channel open_path(dispatch_io_type_t type, const char *path, int flags) {
  struct channel channel;
  prepare(&channel);
  dispatch_semaphore_t cleaned = channel.cleaned;
  channel.io =
      dispatch_io_create_with_path(type, path, flags, 0600, channel.queue, ^(int error) {
        note("c%d", error);
        dispatch_semaphore_signal(cleaned);
      });
  CHECK(channel.io != NULL);
  return channel;
}

void start_read(struct channel *channel, off_t offset, size_t length) {
  dispatch_semaphore_t done = channel->done;
  dispatch_io_read(channel->io, offset, length, channel->queue,
                   ^(bool is_done, dispatch_data_t data, int error) {
                     record("", is_done, data, error);
                     if (is_done) dispatch_semaphore_signal(done);
                   });
}

void start_write(struct channel *channel, off_t offset, dispatch_data_t data) {
  dispatch_semaphore_t done = channel->done;
  dispatch_io_write(channel->io, offset, data, channel->queue,
                    ^(bool is_done, dispatch_data_t rest, int error) {
                      record("", is_done, rest, error);
                      if (is_done) dispatch_semaphore_signal(done);
                    });
}

void finish(struct channel *channel) {
  WAIT(channel->done);
}

void close_channel(struct channel *channel, dispatch_io_close_flags_t flags) {
  dispatch_io_close(channel->io, flags);
  dispatch_release(channel->io);
  WAIT(channel->cleaned);
  dispatch_release(channel->queue);
}

dispatch_data_t regions(size_t count, size_t size) {
  dispatch_data_t all = dispatch_data_empty;
  for (size_t index = 0; index < count; index++) {
    char *bytes = malloc(size);
    CHECK(bytes != NULL);
    memset(bytes, 'a' + (int)index, size);
    dispatch_data_t one = dispatch_data_create(bytes, size, NULL, DISPATCH_DATA_DESTRUCTOR_FREE);
    dispatch_data_t longer = dispatch_data_create_concat(all, one);
    dispatch_release(all);
    dispatch_release(one);
    all = longer;
  }
  return all;
}
