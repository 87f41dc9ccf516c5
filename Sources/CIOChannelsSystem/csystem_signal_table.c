#include "csystem_answer.h"
#include "csystem_process.h"
#include "csystem_signal_table.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { LAST_SIGNAL = 64, BATCH = 32, LEVELS = 8 };

const int32_t CSYS_SIGNAL_DEFAULT = 0, CSYS_SIGNAL_IGNORED = 1, CSYS_SIGNAL_HANDLED = 2,
              CSYS_SIGNAL_COUNTED = 3;

const int32_t CSYS_SIGNAL_LEVELS = LEVELS;

const int32_t CSYS_SIGNAL_UNCHAINED = SIGQUIT;

typedef void (*plain_handler)(int);
typedef void (*informed_handler)(int, siginfo_t *, void *);

// The disposition below one of the counting handlers.
typedef struct {
  // The program's handler, in one of the two forms. The counting handler reads them on any thread.
  _Atomic(plain_handler) plain;
  _Atomic(informed_handler) informed;
  // Whether the disposition is the default action, unless that is to do nothing.
  atomic_bool has_default_action;
  // Callers that change dispositions hold a lock.
  struct sigaction former;
} signal_level;

typedef struct {
  atomic_uint count;
  atomic_bool is_watched;
  // Callers that change dispositions hold a lock.
  struct sigaction found;
  signal_level levels[LEVELS];
} signal_slot;

static signal_slot slots[LAST_SIGNAL + 1];

static atomic_int wakeup = -1;

// The process that counts. A child of a fork has another number or at least another generation,
// since each may be the first process of its own namespace.
static atomic_int owner;
static uint32_t owner_generation;

_Bool csys_signal_can_be_watched(int32_t signal) {
  switch (signal) {
  case SIGKILL:
  case SIGSTOP:
  case SIGILL:
  case SIGTRAP:
  case SIGABRT:
  case SIGBUS:
  case SIGFPE:
  case SIGSEGV:
  case SIGSYS:
    return 0;
  default:
    // The C library uses the signals between the named ones and SIGRTMIN.
    return (signal > 0 && signal < 32) || (signal >= SIGRTMIN && signal <= LAST_SIGNAL);
  }
}

csys_result csys_signal_wakeup(void) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) return csys_answer(-1);
  owner_generation = csys_process_generation();
  atomic_store(&owner, getpid());
  atomic_store(&wakeup, fd);
  return csys_answer(fd);
}

csys_result csys_signal_wakeup_take(int fd) {
  uint64_t count;
  return csys_answer(read(fd, &count, sizeof count));
}

// MARK: - The handlers

static void count_signal(int level, int signal, siginfo_t *information, void *context);

// One function for each level. A handler of the program may keep one of them and call it. A
// function of a higher level can then be installed above that handler, and the two never call each
// other without end.
#define COUNT_AT(level)                                                             \
  static void count_at_##level(int signal, siginfo_t *information, void *context) { \
    count_signal(level, signal, information, context);                              \
  }

COUNT_AT(0)
COUNT_AT(1)
COUNT_AT(2)
COUNT_AT(3)
COUNT_AT(4)
COUNT_AT(5)
COUNT_AT(6)
COUNT_AT(7)

static const informed_handler counting[LEVELS] = {count_at_0, count_at_1, count_at_2, count_at_3,
                                                  count_at_4, count_at_5, count_at_6, count_at_7};

// The level of a counting handler, -1 for any other disposition.
static int level_of(const struct sigaction *action) {
  if ((action->sa_flags & SA_SIGINFO) == 0) return -1;
  for (int level = 0; level < LEVELS; level += 1) {
    if (action->sa_sigaction == counting[level]) return level;
  }
  return -1;
}

// For each signal, 1 more than the level whose former handler this thread runs, or 0. A handler
// that leaves by a jump leaves its number behind.
static __thread __attribute__((tls_model("initial-exec"))) uint8_t running[LAST_SIGNAL + 1];

// Whether a higher level has called this one, through handlers of the program.
static _Bool is_inner(int level, int signal) {
  if (running[signal] <= level + 1) return 0;
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && level_of(&action) > level;
}

static void call_former(signal_level *level, int signal, siginfo_t *information, void *context) {
  informed_handler informed = atomic_load(&level->informed);
  if (informed) return informed(signal, information, context);
  plain_handler plain = atomic_load(&level->plain);
  if (plain) plain(signal);
}

// A handler of the program that calls this one has replaced the default action. Otherwise the
// action follows when the handler returns, because the signal is blocked until then. The end of the
// last source may have restored the default action already.
static void act_by_default(int signal) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) < 0) return;
  _Bool is_counting = level_of(&action) >= 0;
  if (!is_counting && action.sa_handler != SIG_DFL) return;
  if (is_counting) {
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, NULL);
  }
  raise(signal);
}

static _Bool counts(signal_slot *slot) {
  return atomic_load(&slot->is_watched) && owner_generation == csys_process_generation() &&
         atomic_load(&owner) == getpid();
}

// Counts a signal; returns 0 if it has no sources.
static _Bool count(signal_slot *slot) {
  if (!counts(slot)) return 0;
  atomic_fetch_add(&slot->count, 1);
  // The last source may have ended meanwhile. Either its end takes the count or this call does.
  if (!atomic_load(&slot->is_watched) && atomic_exchange(&slot->count, 0) > 0) return 0;
  uint64_t one = 1;
  // It fails only while the descriptor is readable anyway.
  ssize_t written = write(atomic_load(&wakeup), &one, sizeof one);
  (void)written;
  return 1;
}

static void count_signal(int level, int signal, siginfo_t *information, void *context) {
  int kept = errno;
  signal_level *below = &slots[signal].levels[level];
  _Bool is_called = is_inner(level, signal);
  _Bool is_counted = !is_called && count(&slots[signal]);
  if (!is_called && !is_counted && atomic_load(&below->has_default_action)) act_by_default(signal);
  errno = kept;
  if (is_counted && signal == CSYS_SIGNAL_UNCHAINED) return;
  uint8_t outer = running[signal];
  if (!is_called) running[signal] = (uint8_t)(level + 1);
  call_former(below, signal, information, context);
  running[signal] = outer;
  errno = kept;
}

uint32_t csys_signal_take(int32_t signal) { return atomic_exchange(&slots[signal].count, 0); }

// MARK: - Dispositions

static _Bool is_handler(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

csys_result csys_signal_disposition(int32_t signal) {
  struct sigaction *found = &slots[signal].found;
  if (sigaction(signal, NULL, found) < 0) return csys_answer(-1);
  if (found->sa_handler == SIG_DFL) return csys_answer(CSYS_SIGNAL_DEFAULT);
  if (found->sa_handler == SIG_IGN) return csys_answer(CSYS_SIGNAL_IGNORED);
  int level = level_of(found);
  return csys_answer(level < 0 ? CSYS_SIGNAL_HANDLED : CSYS_SIGNAL_COUNTED + level);
}

static _Bool has_default_action(int signal, const struct sigaction *action) {
  if (action->sa_handler != SIG_DFL) return 0;
  return signal != SIGCHLD && signal != SIGCONT && signal != SIGURG && signal != SIGWINCH;
}

static void note_former(int signal, int level, const struct sigaction *former) {
  signal_level *below = &slots[signal].levels[level];
  below->former = *former;
  atomic_store(&below->has_default_action, has_default_action(signal, former));
  _Bool is_informed = is_handler(former) && (former->sa_flags & SA_SIGINFO);
  atomic_store(&below->informed, is_informed ? former->sa_sigaction : NULL);
  atomic_store(&below->plain, is_handler(former) && !is_informed ? former->sa_handler : NULL);
}

void csys_signal_watch(int32_t signal, _Bool is_watched) {
  atomic_store(&slots[signal].is_watched, is_watched);
}

csys_result csys_signal_install(int32_t signal, int32_t level) {
  const struct sigaction *found = &slots[signal].found;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = counting[level];
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (is_handler(found)) {
    action.sa_mask = found->sa_mask;
    action.sa_flags |= found->sa_flags & (SA_RESTART | SA_NODEFER);
  } else {
    sigemptyset(&action.sa_mask);
    action.sa_flags |= SA_RESTART;
  }
  if (signal == SIGCHLD) {
    action.sa_flags |= found->sa_flags & (SA_NOCLDSTOP | SA_NOCLDWAIT);
    // Children of a process that ignores the signal leave no zombies.
    if (found->sa_handler == SIG_IGN) action.sa_flags |= SA_NOCLDWAIT;
  }
  note_former(signal, level, found);
  struct sigaction replaced;
  if (sigaction(signal, &action, &replaced) < 0) return csys_answer(-1);
  // Another thread of the program may have changed it in between.
  if (level_of(&replaced) < 0) note_former(signal, level, &replaced);
  return csys_answer(0);
}

csys_result csys_signal_restore(int32_t signal, int32_t level) {
  return csys_answer(sigaction(signal, &slots[signal].levels[level].former, NULL));
}

csys_result csys_signal_send(int32_t signal) { return csys_answer(kill(getpid(), signal)); }

// MARK: - The descriptor of pending signals

csys_result csys_signal_descriptor(int fd, uint64_t signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal = 1; signal <= LAST_SIGNAL; signal += 1) {
    if (signals >> (signal - 1) & 1) sigaddset(&set, signal);
  }
  return csys_answer(signalfd(fd, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

csys_result csys_signal_descriptor_count(int fd) {
  struct signalfd_siginfo taken[BATCH];
  ssize_t size = read(fd, taken, sizeof taken);
  if (size < 0) return csys_answer(-1);
  size_t number = (size_t)size / sizeof *taken;
  for (size_t index = 0; index < number; index += 1) {
    uint32_t signal = taken[index].ssi_signo;
    if (signal <= LAST_SIGNAL) atomic_fetch_add(&slots[signal].count, 1);
  }
  return csys_answer((int64_t)number);
}
