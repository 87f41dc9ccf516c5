// Reads through a bare ring, as a library must that calls a handler for each read: the ring's thread
// hands what has come to a second one, which asks for the next read.
//
//   handoff FILE SIZE DEPTH COUNT SPAN random|sequential NANOSECONDS
//
// The second thread is busy for so long with each read. Prints how many seconds all of them took;
// they pass the page cache.

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "bare.h"

enum { most = 1024, wake = most };

// Buffers that go from one thread to the other.
struct line {
  pthread_mutex_t lock;
  pthread_cond_t came;
  unsigned buffers[most], count;
  int is_awaited;
};

static struct line come = {.lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER};
static struct line asked = {.lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER};
static size_t size, depth, count, blocks, busy, started;
static int is_random, file, event;
static uint64_t signals;
static char *bytes;

static uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// The same places in the same order as the engine's driver.
static uint64_t place(uint64_t index) {
  return is_random ? mixed(index) % blocks * size : index * size;
}

static struct io_uring_sqe *entry(struct io_uring *ring) {
  struct io_uring_sqe *entry = io_uring_get_sqe(ring);
  if (!entry) err(1, "no room");
  return entry;
}

static void read_into(struct io_uring *ring, unsigned buffer) {
  struct io_uring_sqe *next = entry(ring);
  io_uring_prep_read(next, file, bytes + buffer * size, (unsigned)size, place(started++));
  io_uring_sqe_set_data64(next, buffer);
}

static void await_asking(struct io_uring *ring) {
  struct io_uring_sqe *next = entry(ring);
  io_uring_prep_read(next, event, &signals, sizeof signals, 0);
  io_uring_sqe_set_data64(next, wake);
}

static void *handle(void *unused) {
  unsigned taken[most], number = 0;
  for (size_t handled = 0; handled < count; handled += number) {
    pthread_mutex_lock(&come.lock);
    while (come.count == 0) pthread_cond_wait(&come.came, &come.lock);
    memcpy(taken, come.buffers, sizeof *taken * (number = come.count));
    come.count = 0;
    pthread_mutex_unlock(&come.lock);
    for (unsigned index = 0; index < number; index++) {
      if (busy > 0) for (uint64_t end = nanoseconds() + busy; nanoseconds() < end;) {}
      pthread_mutex_lock(&asked.lock);
      asked.buffers[asked.count++] = taken[index];
      int must_wake = asked.is_awaited;
      asked.is_awaited = 0;
      pthread_mutex_unlock(&asked.lock);
      if (must_wake && eventfd_write(event, 1) < 0) err(1, "eventfd");
    }
  }
  return unused;
}

// Starts what the other thread asked for.
static void start_asked(struct io_uring *ring) {
  pthread_mutex_lock(&asked.lock);
  for (unsigned index = 0; index < asked.count; index++) {
    if (started < count) read_into(ring, asked.buffers[index]);
  }
  asked.count = 0;
  asked.is_awaited = 1;
  pthread_mutex_unlock(&asked.lock);
}

static void run(struct io_uring *ring) {
  size_t ended = 0;
  await_asking(ring);
  for (unsigned buffer = 0; buffer < depth && started < count; buffer++) read_into(ring, buffer);
  while (ended < count) {
    start_asked(ring);
    if (io_uring_submit_and_wait(ring, 1) < 0) err(1, "submit");
    struct io_uring_cqe *end;
    unsigned head, seen = 0, before;
    pthread_mutex_lock(&come.lock);
    before = come.count;
    io_uring_for_each_cqe(ring, head, end) {
      seen++;
      if (end->user_data == wake) {
        await_asking(ring);
        continue;
      }
      if (end->res != (int)size) err(1, "read");
      come.buffers[come.count++] = (unsigned)end->user_data;
      ended++;
    }
    if (before == 0 && come.count > 0) pthread_cond_signal(&come.came);
    pthread_mutex_unlock(&come.lock);
    io_uring_cq_advance(ring, seen);
  }
}

int main(int argc, char **argv) {
  if (argc != 8) {
    fprintf(stderr, "usage: handoff FILE SIZE DEPTH COUNT SPAN ORDER NANOSECONDS\n");
    return 2;
  }
  size = strtoull(argv[2], NULL, 10);
  depth = strtoull(argv[3], NULL, 10);
  count = strtoull(argv[4], NULL, 10);
  blocks = strtoull(argv[5], NULL, 10) / size;
  is_random = strcmp(argv[6], "random") == 0;
  busy = strtoull(argv[7], NULL, 10);
  file = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (file < 0) err(1, "%s", argv[1]);
  if (depth > most || posix_memalign((void **)&bytes, 4096, depth * size)) err(1, "memory");
  memset(bytes, 1, depth * size);
  event = eventfd(0, EFD_CLOEXEC);
  if (event < 0) err(1, "eventfd");

  struct io_uring ring;
  struct io_uring_params parameters = {
      .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
  if (io_uring_queue_init_params((unsigned)depth + 1, &ring, &parameters) < 0) err(1, "ring");
  io_uring_register_ring_fd(&ring);

  uint64_t start = nanoseconds();
  pthread_t other;
  if (pthread_create(&other, NULL, handle, NULL) != 0) err(1, "thread");
  run(&ring);
  pthread_join(other, NULL);
  printf("%.9f\n", (double)(nanoseconds() - start) / 1e9);
  return 0;
}
