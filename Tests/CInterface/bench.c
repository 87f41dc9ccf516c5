// Measures functions of Dispatch from C:  bench [SCALE]
//
// It prints a line for each row: the name, and the nanoseconds of one operation. Built with the
// header of this package or with that of Dispatch, it measures the one or the other.
// Tests/CInterface/measure does both.

#define _GNU_SOURCE

#include <dispatch/dispatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long scale = 100;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void require(bool is_true, const char *sentence) {
  if (is_true) return;
  fprintf(stderr, "bench: %s\n", sentence);
  exit(1);
}

static void add_one(void *context) {
  *(long *)context += 1;
}

static void nothing(void *context) {
  (void)context;
}

static void signal_semaphore(void *context) {
  dispatch_semaphore_signal((dispatch_semaphore_t)context);
}

// Functions to a serial queue, and the wait for the last one.
static double async_function(long count) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  long sum = 0;
  double start = now();
  for (long index = 0; index < count; index++) dispatch_async_f(queue, &sum, add_one);
  dispatch_sync_f(queue, NULL, nothing);
  double end = now();
  require(sum == count, "functions were lost");
  dispatch_release(queue);
  return end - start;
}

// The same with blocks, each of which is copied.
static double async_block(long count) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  __block long sum = 0;
  double start = now();
  for (long index = 0; index < count; index++) {
    dispatch_async(queue, ^{
      sum += index - index + 1;
    });
  }
  dispatch_sync_f(queue, NULL, nothing);
  double end = now();
  require(sum == count, "blocks were lost");
  dispatch_release(queue);
  return end - start;
}

// Blocks to an idle queue, one after the other.
static double sync_block(long count) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  __block long sum = 0;
  double start = now();
  for (long index = 0; index < count; index++) {
    dispatch_sync(queue, ^{
      sum += 1;
    });
  }
  double end = now();
  require(sum == count, "blocks were lost");
  dispatch_release(queue);
  return end - start;
}

struct hop {
  dispatch_queue_t queues[2];
  dispatch_semaphore_t end;
  long left;
};

static void hop(void *context) {
  struct hop *state = context;
  if (--state->left == 0) dispatch_semaphore_signal(state->end);
  else dispatch_async_f(state->queues[state->left % 2], state, hop);
}

// From one queue to another and back.
static double hops(long count) {
  struct hop state = {
      {dispatch_queue_create("a", NULL), dispatch_queue_create("b", NULL)},
      dispatch_semaphore_create(0),
      count,
  };
  double start = now();
  dispatch_async_f(state.queues[0], &state, hop);
  dispatch_semaphore_wait(state.end, DISPATCH_TIME_FOREVER);
  double end = now();
  dispatch_release(state.queues[0]);
  dispatch_release(state.queues[1]);
  dispatch_release(state.end);
  return end - start;
}

// Functions of a group on a global queue, and the wait for all.
static double group(long count) {
  dispatch_group_t all = dispatch_group_create();
  dispatch_queue_t queue = dispatch_get_global_queue(0, 0);
  double start = now();
  for (long index = 0; index < count; index++) dispatch_group_async_f(all, queue, NULL, nothing);
  dispatch_group_wait(all, DISPATCH_TIME_FOREVER);
  double end = now();
  dispatch_release(all);
  return end - start;
}

// A group that is entered and left, and a semaphore that is signalled and waited for.
static double group_word(long count) {
  dispatch_group_t all = dispatch_group_create();
  double start = now();
  for (long index = 0; index < count; index++) {
    dispatch_group_enter(all);
    dispatch_group_leave(all);
  }
  double end = now();
  dispatch_release(all);
  return end - start;
}

static double semaphore_word(long count) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
  double start = now();
  for (long index = 0; index < count; index++) {
    dispatch_semaphore_signal(semaphore);
    dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
  }
  double end = now();
  dispatch_release(semaphore);
  return end - start;
}

// A thread that waits for each function.
static double semaphore_hop(long count) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  double start = now();
  for (long index = 0; index < count; index++) {
    dispatch_async_f(queue, semaphore, signal_semaphore);
    dispatch_semaphore_wait(semaphore, DISPATCH_TIME_FOREVER);
  }
  double end = now();
  dispatch_release(queue);
  dispatch_release(semaphore);
  return end - start;
}

static double apply(long count) {
  double start = now();
  dispatch_apply((size_t)count, dispatch_get_global_queue(0, 0), ^(size_t index) {
    __asm__ volatile("" : : "r"(index));
  });
  return now() - start;
}

// Values that are merged into a source, whose handler takes them meanwhile.
static double merge(long count) {
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t end = dispatch_semaphore_create(0);
  dispatch_source_t source =
      dispatch_source_create(DISPATCH_SOURCE_TYPE_DATA_ADD, 0, 0, queue);
  __block long sum = 0;
  dispatch_source_set_event_handler(source, ^{
    sum += (long)dispatch_source_get_data(source);
    if (sum == count) dispatch_semaphore_signal(end);
  });
  dispatch_resume(source);
  double start = now();
  for (long index = 0; index < count; index++) dispatch_source_merge_data(source, 1);
  dispatch_semaphore_wait(end, DISPATCH_TIME_FOREVER);
  double stop = now();
  dispatch_source_cancel(source);
  dispatch_release(source);
  return stop - start;
}

static int file(size_t size) {
  char name[] = "/tmp/bench.XXXXXX";
  int descriptor = mkstemp(name);
  require(descriptor >= 0 && unlink(name) == 0, "no temporary file");
  static char block[1 << 16];
  for (size_t written = 0; written < size; written += sizeof block)
    require(write(descriptor, block, sizeof block) == (ssize_t)sizeof block, "no space");
  lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

// Reads of 4,096 bytes of a cached file, 64 at a time.
static double random_reads(long count) {
  size_t size = 64 << 20;
  int descriptor = file(size);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t room = dispatch_semaphore_create(64);
  dispatch_semaphore_t closed = dispatch_semaphore_create(0);
  dispatch_io_t io = dispatch_io_create(DISPATCH_IO_RANDOM, descriptor, queue, ^(int error) {
    require(!error, "no channel");
    dispatch_semaphore_signal(closed);
  });
  unsigned long random = 1;
  double start = now();
  for (long index = 0; index < count; index++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    off_t offset = (off_t)((random >> 33) % (size / 4096) * 4096);
    dispatch_semaphore_wait(room, DISPATCH_TIME_FOREVER);
    dispatch_io_read(io, offset, 4096, queue, ^(bool done, dispatch_data_t data, int error) {
      require(!error && (!done || dispatch_data_get_size(data) == 4096), "a read failed");
      if (done) dispatch_semaphore_signal(room);
    });
  }
  for (int index = 0; index < 64; index++) dispatch_semaphore_wait(room, DISPATCH_TIME_FOREVER);
  double end = now();
  for (int index = 0; index < 64; index++) dispatch_semaphore_signal(room);
  dispatch_io_close(io, 0);
  dispatch_release(io);
  dispatch_semaphore_wait(closed, DISPATCH_TIME_FOREVER);
  close(descriptor);
  return end - start;
}

// A cached file as a stream; an operation is 4,096 bytes of it.
static double stream_read(long count) {
  size_t size = (size_t)count * 4096 / (1 << 16) * (1 << 16) + (1 << 16);
  int descriptor = file(size);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_semaphore_t end = dispatch_semaphore_create(0);
  dispatch_semaphore_t closed = dispatch_semaphore_create(0);
  dispatch_io_t io = dispatch_io_create(DISPATCH_IO_STREAM, descriptor, queue, ^(int error) {
    require(!error, "no channel");
    dispatch_semaphore_signal(closed);
  });
  __block size_t sum = 0;
  double start = now();
  dispatch_io_read(io, 0, SIZE_MAX, queue, ^(bool done, dispatch_data_t data, int error) {
    require(!error, "a read failed");
    if (data) sum += dispatch_data_get_size(data);
    if (done) dispatch_semaphore_signal(end);
  });
  dispatch_semaphore_wait(end, DISPATCH_TIME_FOREVER);
  double stop = now();
  require(sum == size, "bytes are missing");
  dispatch_io_close(io, 0);
  dispatch_release(io);
  dispatch_semaphore_wait(closed, DISPATCH_TIME_FOREVER);
  close(descriptor);
  return stop - start;
}

static const struct {
  const char *name;
  double (*function)(long count);
  /// The number of operations at a scale of 100.
  long count;
} rows[] = {
    {"async_f", async_function, 2000000},
    {"async", async_block, 2000000},
    {"sync", sync_block, 5000000},
    {"hop", hops, 300000},
    {"group_async_f", group, 500000},
    {"group_enter_leave", group_word, 5000000},
    {"semaphore_signal_wait", semaphore_word, 5000000},
    {"semaphore_hop", semaphore_hop, 50000},
    {"apply", apply, 20000000},
    {"source_merge_data", merge, 5000000},
    {"io_random_read", random_reads, 100000},
    {"io_stream_read", stream_read, 100000},
};

int main(int count, char **arguments) {
  if (count > 1) scale = atol(arguments[1]);
  require(scale > 0, "usage: bench [SCALE]");
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    long operations = rows[index].count * scale / 100 + 1;
    rows[index].function(operations / 10 + 1);
    printf("%s %.2f\n", rows[index].name, rows[index].function(operations) / (double)operations);
    fflush(stdout);
  }
  return 0;
}
