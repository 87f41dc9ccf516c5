#define _GNU_SOURCE
#include "CIOChannelsCounting.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint64_t allocations;
static _Atomic uint64_t retains;

static void add(_Atomic uint64_t *count) {
  atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

// The allocator of the C library, which lets programs put their own before it.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  add(&allocations);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  add(&allocations);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  add(&allocations);
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  add(&allocations);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

// What compiled Swift code calls to retain. The runtime has hooks for those who measure, but what
// it hands to them has lost the mark of what is no object.

typedef void *retaining(void *object);

/// The runtime's own function of a name.
static retaining *original(_Atomic(retaining *) *known, const char *name) {
  retaining *function = atomic_load_explicit(known, memory_order_relaxed);
  if (function == NULL) {
    function = (retaining *)dlsym(RTLD_NEXT, name);
    atomic_store_explicit(known, function, memory_order_relaxed);
  }
  return function;
}

void *swift_retain(void *object) {
  static _Atomic(retaining *) known;
  add(&retains);
  return original(&known, __func__)(object);
}

void *swift_bridgeObjectRetain(void *object) {
  static _Atomic(retaining *) known;
  add(&retains);
  return original(&known, __func__)(object);
}

// The kernel's own counter of an event that each system call begins with.

static int calls_counter = -1;

bool cc_count_calls(void) {
  FILE *file = fopen("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id", "re");
  unsigned event;
  if (file == NULL) return false;
  int found = fscanf(file, "%u", &event);
  fclose(file);
  if (found != 1) return false;
  struct perf_event_attr wanted = {
    .type = PERF_TYPE_TRACEPOINT,
    .size = sizeof wanted,
    .config = event,
    .inherit = 1,
  };
  calls_counter = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return calls_counter >= 0;
}

static uint64_t calls_so_far(void) {
  uint64_t count = 0;
  if (calls_counter < 0 || read(calls_counter, &count, sizeof count) != sizeof count) return 0;
  return count;
}

cc_counts cc_counts_now(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (cc_counts){
    .allocations = atomic_load(&allocations),
    .retains = atomic_load(&retains),
    .sleeps = (uint64_t)usage.ru_nvcsw,
    .calls = calls_so_far(),
  };
}
