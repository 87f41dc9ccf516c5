#include "channel.h"

static const size_t mega = 1 << 20;

/// Reads a file of `size` bytes in one operation; marks are those of the channel, or SIZE_MAX.
static void read_file(size_t size, size_t length, const size_t *low, const size_t *high,
                      const char *trace) {
  const dispatch_io_type_t types[] = {DISPATCH_IO_STREAM, DISPATCH_IO_RANDOM};
  for (size_t index = 0; index < 2; index++) {
    int descriptor = file_of_size(size);
    struct channel channel = open_channel(types[index], descriptor);
    if (low) dispatch_io_set_low_water(channel.io, *low);
    if (high) dispatch_io_set_high_water(channel.io, *high);
    start_read(&channel, 0, length);
    finish(&channel);
    EXPECT(trace);
    close_channel(&channel, 0);
    EXPECT("c0");
    close(descriptor);
  }
}

// Reads of files with the default marks.
static void file_reads(void) {
  size_t half = 5 * mega / 2;
  read_file(half, SIZE_MAX, NULL, NULL, "0/1048576 0/1048576 0/524288 1/empty");
  read_file(half, half, NULL, NULL, "0/1048576 0/1048576 1/524288");
  read_file(half, 3 * mega, NULL, NULL, "0/1048576 0/1048576 0/524288 1/empty");
  read_file(2 * mega, SIZE_MAX, NULL, NULL, "0/1048576 0/1048576 1/empty");
  read_file(0, SIZE_MAX, NULL, NULL, "1/empty");
  read_file(100, 0, NULL, NULL, "1/empty");
}

// Reads of files with water marks.
static void water_marks(void) {
  size_t none = 0, most = SIZE_MAX, quarter = mega / 4, low = 3 * mega / 2, high = 5 * mega / 2;
  read_file(600 << 10, SIZE_MAX, NULL, &quarter, "0/262144 0/262144 0/90112 1/empty");
  read_file(600 << 10, SIZE_MAX, &none, NULL, "0/614400 1/empty");
  read_file(5 * mega, SIZE_MAX, &most, NULL, "0/5242880 1/empty");
  read_file(5 * mega, SIZE_MAX, &low, &high, "0/2097152 0/2097152 0/1048576 1/empty");
}

// A pipe's bytes are held back until the low-water mark or the end.
static void pipe_reads(void) {
  for (int way = 0; way < 2; way++) {
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[0]);
    if (way == 1) dispatch_io_set_low_water(channel.io, 1);
    start_read(&channel, 0, SIZE_MAX);
    CHECK(write(ends[1], "01234", 5) == 5);
    if (way == 0) pause_for(200);
    EXPECT(way == 0 ? "" : "0/5");
    CHECK(write(ends[1], "56789", 5) == 5);
    EXPECT(way == 0 ? "" : "0/5");
    close(ends[1]);
    finish(&channel);
    EXPECT(way == 0 ? "0/10 1/empty" : "1/empty");
    close_channel(&channel, 0);
    EXPECT("c0");
    close(ends[0]);
  }
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  CHECK(write(ends[1], "0123456789", 10) == 10);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[0]);
  start_read(&channel, 0, 8);
  start_read(&channel, 0, 2);
  finish(&channel);
  finish(&channel);
  EXPECT("1/8 1/2");
  close_channel(&channel, 0);
  close(ends[0]);
  close(ends[1]);
}

// An interval with the strict flag has calls without data.
static void intervals(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[0]);
  dispatch_io_set_interval(channel.io, 50 * NSEC_PER_MSEC, DISPATCH_IO_STRICT_INTERVAL);
  start_read(&channel, 0, SIZE_MAX);
  AWAIT("0/empty");
  CHECK(write(ends[1], "01234", 5) == 5);
  AWAIT(" 0/5 0/empty");
  dispatch_io_close(channel.io, DISPATCH_IO_STOP);
  finish(&channel);
  char *found = take_notes();
  CHECK(strncmp(found, "0/empty", 7) == 0);
  CHECK(strstr(found, " 0/5 0/empty") != NULL);
  char end[32];
  snprintf(end, sizeof end, " 1/NULL/%d", ECANCELED);
  CHECK(strlen(found) > strlen(end));
  const char *last = strstr(found, end);
  CHECK(last != NULL);
  free(found);
  close_channel(&channel, 0);
  take_notes();
  close(ends[0]);
  close(ends[1]);
}

// A stop ends all operations with ECANCELED, in order; a close lets them end.
static void stops(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  for (int way = 0; way < 2; way++) {
    struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[0]);
    int operations = way == 0 ? 3 : 1;
    for (int index = 0; index < operations; index++) start_read(&channel, 0, SIZE_MAX);
    if (way == 1) dispatch_io_close(channel.io, 0);
    pause_for(20);
    EXPECT("");
    dispatch_io_close(channel.io, DISPATCH_IO_STOP);
    dispatch_release(channel.io);
    for (int index = 0; index < operations; index++) finish(&channel);
    WAIT(channel.cleaned);
    EXPECT(way == 0 ? "1/NULL/125 1/NULL/125 1/NULL/125 c0" : "1/NULL/125 c0");
  }
  // The last reference is released during a read, which completes.
  struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[0]);
  start_read(&channel, 0, 5);
  dispatch_release(channel.io);
  pause_for(20);
  EXPECT("");
  CHECK(write(ends[1], "01234", 5) == 5);
  finish(&channel);
  WAIT(channel.cleaned);
  EXPECT("1/5 c0");
}

// A barrier runs between operations, and the descriptor is there in it.
static void barriers(void) {
  int descriptor = file_of_size(100);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, descriptor);
  CHECK_EQUAL(dispatch_io_get_descriptor(channel.io), descriptor);
  dispatch_io_t io = channel.io;
  start_read(&channel, 0, 60);
  dispatch_io_barrier(io, ^{
    CHECK_EQUAL(dispatch_io_get_descriptor(io), descriptor);
    CHECK_EQUAL(lseek(descriptor, 0, SEEK_CUR), 60);
  });
  start_read(&channel, 0, SIZE_MAX);
  finish(&channel);
  finish(&channel);
  EXPECT("1/60 0/40 1/empty");
  // These have no effect on a channel.
  dispatch_suspend(io);
  dispatch_resume(io);
  dispatch_resume(io);
  dispatch_activate(io);
  close_channel(&channel, 0);
  EXPECT("c0");
  close(descriptor);
}

// A random channel counts from the position at its creation, and does not move it.
static void random_channels(void) {
  int descriptor = file_of_size(100);
  CHECK_EQUAL(lseek(descriptor, 30, SEEK_SET), 30);
  struct channel channel = open_channel(DISPATCH_IO_RANDOM, descriptor);
  start_read(&channel, 10, 20);
  finish(&channel);
  start_read(&channel, 1000, 20);
  finish(&channel);
  start_read(&channel, -31, 20);
  finish(&channel);
  EXPECT("1/20 1/empty 1/NULL/22");
  CHECK_EQUAL(lseek(descriptor, 0, SEEK_CUR), 30);
  struct channel other = channel;
  other.cleaned = dispatch_semaphore_create(0);
  dispatch_semaphore_t cleaned = other.cleaned;
  other.io = dispatch_io_create_with_io(DISPATCH_IO_STREAM, channel.io, channel.queue, ^(int e) {
    note("c%d", e);
    dispatch_semaphore_signal(cleaned);
  });
  start_read(&other, 0, 70);
  finish(&other);
  EXPECT("1/70");
  dispatch_io_close(channel.io, 0);
  dispatch_release(channel.io);
  dispatch_retain(channel.queue);
  close_channel(&other, 0);
  WAIT(channel.cleaned);
  EXPECT("c0 c0");
  close(descriptor);
}

// Reads and writes without a channel call their handler once.
static void one_shots(void) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t done = dispatch_semaphore_create(0);
  int descriptor = file_of_size(100);
  void (^report)(dispatch_data_t, int) = ^(dispatch_data_t data, int error) {
    note("%zd/%d", data ? (ssize_t)dispatch_data_get_size(data) : -1, error);
    dispatch_semaphore_signal(done);
  };
  dispatch_read(descriptor, 60, queue, report);
  WAIT(done);
  dispatch_read(descriptor, SIZE_MAX, queue, report);
  WAIT(done);
  dispatch_read(descriptor, SIZE_MAX, queue, report);
  WAIT(done);
  dispatch_data_t data = regions(2, 10);
  dispatch_write(descriptor, data, queue, report);
  WAIT(done);
  dispatch_release(data);
  CHECK_EQUAL(lseek(descriptor, 0, SEEK_CUR), 120);
  dispatch_read(1000, 5, queue, report);
  WAIT(done);
  EXPECT("60/0 40/0 0/0 -1/0 0/9");
}

#ifndef REFERENCE
static void data_function(void *context, dispatch_data_t data, int error) {
  note("%zd/%d", data ? (ssize_t)dispatch_data_get_size(data) : -1, error);
  dispatch_semaphore_signal(context);
}

static void io_function(void *context, bool done, dispatch_data_t data, int error) {
  note("%d/%zd/%d", done, data ? (ssize_t)dispatch_data_get_size(data) : -1, error);
  if (done) dispatch_semaphore_signal(context);
}

static void cleanup_function(void *context, int error) {
  note("c%d", error);
  dispatch_semaphore_signal(context);
}

static void barrier_function(void *context) {
  note("barrier");
  dispatch_semaphore_signal(context);
}
#endif

// The function forms do the same without blocks.
static void io_functions(void) {
#ifndef REFERENCE
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t done = dispatch_semaphore_create(0);
  int descriptor = file_of_size(100);
  dispatch_data_t data = regions(1, 10);
  dispatch_read_f(descriptor, 60, queue, done, data_function);
  WAIT(done);
  dispatch_write_f(descriptor, data, queue, done, data_function);
  WAIT(done);
  EXPECT("60/0 -1/0");
  dispatch_io_t io =
      dispatch_io_create_f(DISPATCH_IO_RANDOM, descriptor, queue, done, cleanup_function);
  dispatch_io_read_f(io, 0, 5, queue, done, io_function);
  WAIT(done);
  dispatch_io_write_f(io, 0, data, queue, done, io_function);
  WAIT(done);
  dispatch_io_barrier_f(io, done, barrier_function);
  WAIT(done);
  EXPECT("1/5/0 1/-1/0 barrier");
  dispatch_io_t other =
      dispatch_io_create_with_io_f(DISPATCH_IO_STREAM, io, queue, done, cleanup_function);
  dispatch_io_close(io, 0);
  dispatch_release(io);
  dispatch_release(other);
  WAIT(done);
  WAIT(done);
  EXPECT("c0 c0");
  CHECK(dispatch_io_create_with_path_f(DISPATCH_IO_STREAM, "relative", O_RDONLY, 0, queue, done,
                                       cleanup_function) == NULL);
  // A channel needs no cleanup function.
  io = dispatch_io_create_with_path_f(DISPATCH_IO_STREAM, "/dev/zero", O_RDONLY, 0, queue, NULL,
                                      NULL);
  other = dispatch_io_create_with_io_f(DISPATCH_IO_STREAM, io, queue, NULL, NULL);
  dispatch_io_read_f(other, 0, 5, queue, done, io_function);
  WAIT(done);
  EXPECT("1/5/0");
  dispatch_release(io);
  dispatch_release(other);
  dispatch_release(data);
#endif
}

const struct row channel_rows[] = {
    {"file_reads", file_reads},
    {"water_marks", water_marks},
    {"pipe_reads", pipe_reads},
    {"intervals", intervals},
    {"stops", stops},
    {"io_barriers", barriers},
    {"random_channels", random_channels},
    {"one_shots", one_shots},
    {"io_functions", io_functions},
    {NULL, NULL},
};
