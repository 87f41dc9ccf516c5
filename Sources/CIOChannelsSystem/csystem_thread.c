#include "csystem_answer.h"
#include "csystem_thread.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

CSYSTEM_THREAD_WORD const void *csys_queue_frame;
CSYSTEM_THREAD_WORD void *csys_follow_up;
CSYSTEM_THREAD_WORD const uint8_t *csys_call_name;

csys_result csys_futex_wait(
    const uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  struct timespec *timeout = nanoseconds < 0 ? NULL : &limit;
  return csys_answer(
      syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout, NULL, 0));
}

csys_result csys_futex_wake(const uint32_t *word, int count) {
  return csys_answer(syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0));
}

void csys_thread_set_mask(_Bool runs_user_code) {
  static const int faults[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&blocked, faults[index]);
  if (runs_user_code) {
    sigdelset(&blocked, SIGPIPE);
    sigdelset(&blocked, SIGPROF);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

// If memory is limited a thread may exhaust it: its stack and, once it allocates, an arena of the C
// library with 64 MiB or more of addresses. The existing threads need memory, too.
static bool csys_has_room_for_thread(void) {
  static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
  const size_t room = (size_t)256 << 20;
  bool is_limited = false;
  for (size_t index = 0; index < sizeof limits / sizeof *limits; index++) {
    struct rlimit limit;
    if (getrlimit(limits[index], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      is_limited = true;
  }
  if (!is_limited) return true;
  void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, room);
  return true;
}

csys_result csys_thread_start(void *(*body)(void *), void *context) {
  if (!csys_has_room_for_thread()) {
    csys_result refusal = {0, EAGAIN};
    return refusal;
  }
  sigset_t all;
  sigfillset(&all);
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_t thread;
    sigset_t own;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The mask is inherited. The address sanitizer replaces a mask in the attributes with that of
    // the creating thread.
    pthread_sigmask(SIG_BLOCK, &all, &own);
    error = pthread_create(&thread, &attributes, body, context);
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    pthread_attr_destroy(&attributes);
  }
  csys_result result = {0, error};
  return result;
}

void csys_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = 0;
  pthread_setname_np(pthread_self(), kept);
}

csys_result csys_thread_place(void) {
  // The raw call returns 40 for the highest priority and 1 for the lowest, so that no result is
  // negative.
  csys_result result = csys_answer(syscall(SYS_getpriority, PRIO_PROCESS, 0));
  if (result.error == 0) result.value = 40 - result.value;
  return result;
}

csys_result csys_thread_set_place(int32_t place) {
  // On Linux process 0 of this call is the calling thread.
  return csys_answer(setpriority(PRIO_PROCESS, 0, place - 20));
}

csys_result csys_thread_yield_disks(void) {
  // ioprio_set(IOPRIO_WHO_PROCESS, the calling thread, IOPRIO_CLASS_IDLE) has no header here.
  return csys_answer(syscall(SYS_ioprio_set, 1, 0, 3 << 13));
}

static _Thread_local int has_own_priority;

void csys_thread_note_priority(void) { has_own_priority = 1; }

int csys_thread_has_own_priority(void) { return has_own_priority; }

int32_t csys_thread_number(void) { return (int32_t)syscall(SYS_gettid); }

_Bool csys_thread_is_main(void) {
  static __thread signed char known;
  if (!known) known = getpid() == syscall(SYS_gettid) ? 1 : -1;
  return known > 0;
}

char csys_thread_state(int32_t thread) {
  char path[48], text[128];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  if (count <= 0) return 0;
  text[count] = 0;
  // The name stands in parentheses and may contain any byte, including parentheses.
  const char *end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' ? end[2] : 0;
}

int32_t csys_usable_processors(void) {
  // The kernel refuses a set smaller than its own, so the set grows to at most 64 Ki processors.
  for (int size = 1024; size <= 65536; size *= 4) {
    cpu_set_t *set = CPU_ALLOC(size);
    if (set == NULL) return 0;
    size_t bytes = CPU_ALLOC_SIZE(size);
    CPU_ZERO_S(bytes, set);
    int answer = sched_getaffinity(0, bytes, set);
    int count = answer == 0 ? CPU_COUNT_S(bytes, set) : 0;
    int again = answer < 0 && errno == EINVAL;
    CPU_FREE(set);
    if (!again) return count;
  }
  return 0;
}

csys_result csys_control_file(const char *path, void *bytes, size_t capacity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return csys_answer(-1);
  csys_result result = csys_answer(read(fd, bytes, capacity));
  close(fd);
  return result;
}

int64_t csys_physical_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (int64_t)pages * size : 0;
}
