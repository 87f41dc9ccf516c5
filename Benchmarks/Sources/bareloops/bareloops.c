// Does what queues and timers do with nothing around it, and prints one number.
//
//   bareloops list COUNT       two threads add nodes to one list, a third one takes them: seconds
//   bareloops lock COUNT       turns of two threads in a lock for readers and writers, each 16th
//                              alone: seconds
//   bareloops shares COUNT     loops of 16 empty iterations, shared with a thread that only waits for
//                              the next one: seconds
//   bareloops timers COUNT     a piece of memory, the clock and a place in a heap for each timer,
//                              whose closure is there before, then a mark on each: seconds
//   bareloops lateness COUNT   how late a thread runs that another one wakes at a time, at the 99th
//                              percentile: microseconds
//   bareloops results COUNT KEPT FILE  reads of 4 KiB all over a file, each into new memory, the last
//                              KEPT of which are kept: seconds

#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bare.h"

static size_t count;

static pthread_t thread(void *(*body)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0) err(1, "thread");
  return thread;
}

// MARK: - list

struct node {
  struct node *_Atomic next;
  char rest[56];
};

static struct node *_Atomic last;

static void *add(void *nodes) {
  struct node *own = nodes;
  for (size_t index = 0; index < count / 2; index++) {
    atomic_store_explicit(&own[index].next, NULL, memory_order_relaxed);
    struct node *before = atomic_exchange(&last, &own[index]);
    atomic_store_explicit(&before->next, &own[index], memory_order_release);
  }
  return NULL;
}

static double list(void) {
  static struct node first;
  struct node *nodes = memory(count * sizeof *nodes);
  memset(nodes, 1, count * sizeof *nodes);
  last = &first;
  double start = now(CLOCK_MONOTONIC);
  pthread_t one = thread(add, nodes), other = thread(add, nodes + count / 2);
  struct node *at = &first;
  for (size_t taken = 0; taken < count / 2 * 2; taken++) {
    struct node *next;
    while (!(next = atomic_load_explicit(&at->next, memory_order_acquire))) sched_yield();
    at = next;
  }
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return now(CLOCK_MONOTONIC) - start;
}

// MARK: - lock

static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static volatile size_t turns;

static void *take_turns(void *unused) {
  for (size_t step = 0; step < count / 2; step++) {
    if (step % 16 == 0) {
      pthread_rwlock_wrlock(&gate);
      turns = turns + 1;
    } else {
      pthread_rwlock_rdlock(&gate);
      (void)turns;
    }
    pthread_rwlock_unlock(&gate);
  }
  return unused;
}

static double lock(void) {
  double start = now(CLOCK_MONOTONIC);
  pthread_t other = thread(take_turns, NULL);
  take_turns(NULL);
  pthread_join(other, NULL);
  return now(CLOCK_MONOTONIC) - start;
}

// MARK: - shares

enum { iterations = 16 };
// Where the loop under way began and how far it is, each on a line of its own.
static _Alignas(64) atomic_size_t begun;
static _Alignas(64) atomic_size_t next;
static _Alignas(64) atomic_size_t ended;

// Iterations have numbers of their own in all loops.
static void run_shares(size_t limit) {
  size_t number = atomic_load(&next);
  while (number < limit) {
    if (!atomic_compare_exchange_weak(&next, &number, number + 1)) continue;
    atomic_fetch_add(&ended, 1);
    number++;
  }
}

static void *help(void *unused) {
  size_t seen = 0;
  while (seen < count * iterations) {
    size_t limit = atomic_load(&begun);
    if (limit == seen) continue;
    run_shares(limit);
    seen = limit;
  }
  return unused;
}

static double shares(void) {
  pthread_t helper = thread(help, NULL);
  double start = now(CLOCK_MONOTONIC);
  for (size_t loop = 1; loop <= count; loop++) {
    atomic_store(&begun, loop * iterations);
    run_shares(loop * iterations);
    while (atomic_load(&ended) < loop * iterations) {}
  }
  double took = now(CLOCK_MONOTONIC) - start;
  pthread_join(helper, NULL);
  return took;
}

// MARK: - timers

struct timer {
  uint64_t time;
  void *closure;
  int is_cancelled;
  char rest[40];
};

struct place {
  uint64_t time;
  struct timer *timer;
};

static double timers(void) {
  struct place *heap = NULL;
  size_t room = 0;
  struct timer **all = memory(count * sizeof *all);
  void **closures = memory(count * sizeof *closures);
  memset(all, 1, count * sizeof *all);
  for (size_t index = 0; index < count; index++) closures[index] = memory(48);
  double start = now(CLOCK_MONOTONIC);
  for (size_t index = 0; index < count; index++) {
    struct timer *timer = memory(sizeof *timer);
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    *timer = (struct timer){.closure = closures[index]};
    timer->time = (uint64_t)time.tv_sec * 1000000000 + mixed(index) % 3600000 * 1000000;
    all[index] = timer;
    if (index == room) {
      room = room ? 2 * room : 1024;
      heap = realloc(heap, room * sizeof *heap);
      if (!heap) err(1, "memory");
    }
    size_t place = index;
    for (; place > 0 && heap[(place - 1) / 2].time > timer->time; place = (place - 1) / 2) {
      heap[place] = heap[(place - 1) / 2];
    }
    heap[place] = (struct place){timer->time, timer};
  }
  for (size_t index = 0; index < count; index++) all[index]->is_cancelled = 1;
  return now(CLOCK_MONOTONIC) - start;
}

// MARK: - lateness

static sem_t called;
static double planned, *late;

static void *note(void *unused) {
  for (size_t index = 0; index < count; index++) {
    while (sem_wait(&called) != 0) {}
    late[index] = now(CLOCK_MONOTONIC) - planned;
  }
  return unused;
}

static int compare(const void *one, const void *other) {
  double left = *(const double *)one, right = *(const double *)other;
  return left < right ? -1 : left > right;
}

static double lateness(void) {
  late = memory(count * sizeof *late);
  sem_init(&called, 0, 0);
  pthread_t other = thread(note, NULL);
  double start = now(CLOCK_MONOTONIC) + 0.2;
  for (size_t index = 0; index < count; index++) {
    planned = start + (double)index / 1000;
    struct timespec time = {(time_t)planned, (long)((planned - (time_t)planned) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
    sem_post(&called);
  }
  pthread_join(other, NULL);
  qsort(late, count, sizeof *late, compare);
  return late[count * 99 / 100] * 1e6;
}

// MARK: - results

static double results(size_t kept, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0) err(1, "%s", path);
  size_t blocks = (size_t)status.st_size / 4096;
  void **all = calloc(kept, sizeof *all);
  if (!all || blocks == 0) err(1, "memory");
  double start = now(CLOCK_MONOTONIC);
  for (size_t index = 0; index < count; index++) {
    void *bytes = memory(4096);
    if (pread(file, bytes, 4096, (off_t)(mixed(index) % blocks * 4096)) != 4096) err(1, "read");
    free(all[index % kept]);
    all[index % kept] = bytes;
  }
  return now(CLOCK_MONOTONIC) - start;
}

int main(int argc, char **arguments) {
  const char *work = argc > 2 ? arguments[1] : "";
  count = argc > 2 ? strtoull(arguments[2], NULL, 10) : 0;
  double number;
  if (strcmp(work, "list") == 0) number = list();
  else if (strcmp(work, "lock") == 0) number = lock();
  else if (strcmp(work, "shares") == 0) number = shares();
  else if (strcmp(work, "timers") == 0) number = timers();
  else if (strcmp(work, "lateness") == 0) number = lateness();
  else if (strcmp(work, "results") == 0 && argc == 5)
    number = results(strtoull(arguments[3], NULL, 10), arguments[4]);
  else {
    fprintf(stderr, "usage: bareloops list|lock|shares|timers|lateness COUNT\n"
                    "       bareloops results COUNT KEPT FILE\n");
    return 2;
  }
  printf("%.9f\n", number);
  return 0;
}
