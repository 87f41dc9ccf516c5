// Reads through a bare ring: one thread, one loop, nothing that a library adds.
//
//   bareuring FILE SIZE DEPTH COUNT SPAN random|sequential cached|direct
//
// Prints one line of JSON: the time of the loop, and the processor time and the sleeps of the
// process in it.

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The finalizer of SplitMix64, as in the engine's driver.
static uint64_t mixed(uint64_t index) {
  uint64_t bits = index + 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

static long sleeps(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

static size_t size, depth, count, blocks;
static int is_random, file;
static char *buffers;

// The same places in the same order as the engine's driver.
static uint64_t place(uint64_t index) {
  return is_random ? mixed(index) % blocks * size : index * size;
}

static void prepare(struct io_uring *ring, uint64_t index, uint64_t buffer) {
  struct io_uring_sqe *entry = io_uring_get_sqe(ring);
  if (!entry) err(1, "no room");
  io_uring_prep_read(entry, file, buffers + buffer * size, (unsigned)size, place(index));
  io_uring_sqe_set_data64(entry, buffer);
}

int main(int argc, char **argv) {
  if (argc != 8) {
    fprintf(stderr, "usage: bareuring FILE SIZE DEPTH COUNT SPAN ORDER PAGES\n");
    return 2;
  }
  size = strtoull(argv[2], NULL, 10);
  depth = strtoull(argv[3], NULL, 10);
  count = strtoull(argv[4], NULL, 10);
  blocks = strtoull(argv[5], NULL, 10) / size;
  is_random = strcmp(argv[6], "random") == 0;
  file = open(argv[1], O_RDONLY | (strcmp(argv[7], "direct") == 0 ? O_DIRECT : 0));
  if (file < 0) err(1, "%s", argv[1]);
  if (posix_memalign((void **)&buffers, 4096, depth * size)) err(1, "memory");
  memset(buffers, 1, depth * size);

  struct io_uring ring;
  struct io_uring_params parameters = {
      .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
  if (io_uring_queue_init_params((unsigned)depth, &ring, &parameters) < 0) err(1, "ring");
  io_uring_register_ring_fd(&ring);

  long slept = sleeps();
  double start = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t started = 0, ended = 0;
  for (; started < depth && started < count; started++) prepare(&ring, started, started);
  while (ended < count) {
    if (io_uring_submit_and_wait(&ring, 1) < 0) err(1, "submit");
    struct io_uring_cqe *entry;
    unsigned head, seen = 0;
    io_uring_for_each_cqe(&ring, head, entry) {
      if (entry->res != (int)size) err(1, "read");
      if (started < count) prepare(&ring, started++, entry->user_data);
      seen++;
    }
    io_uring_cq_advance(&ring, seen);
    ended += seen;
  }
  printf("{\"seconds\":%.9f,\"processor\":%.9f,\"sleeps\":%ld}\n",
         now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID) - processor,
         sleeps() - slept);
  return 0;
}
