#include "csystem_answer.h"
#include "csystem_process.h"
#include "csystem_signal_table.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { LAST_SIGNAL = 64, BATCH = 32 };

const int32_t CSYS_SIGNAL_DEFAULT = 0, CSYS_SIGNAL_IGNORED = 1, CSYS_SIGNAL_HANDLED = 2,
              CSYS_SIGNAL_COUNTED = 3;

const int32_t CSYS_SIGNAL_UNCHAINED = SIGQUIT;

typedef void (*plain_handler)(int);
typedef void (*informed_handler)(int, siginfo_t *, void *);

typedef struct {
  atomic_uint count;
  atomic_bool is_watched;
  // The program's handler, in one of the two forms. The counting handler reads them on any thread.
  _Atomic(plain_handler) plain;
  _Atomic(informed_handler) informed;
  // Whether the former disposition was the default action, unless that is to do nothing.
  atomic_bool has_default_action;
  // Whoever changes dispositions has a lock around these two.
  struct sigaction found;
  struct sigaction former;
} signal_slot;

static signal_slot slots[LAST_SIGNAL + 1];

static atomic_int wakeup = -1;

// The process that counts. A child of a fork has another number, or at least another generation:
// each may be the first process of its own namespace.
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
    // Between the named signals and SIGRTMIN are those of the C library.
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

// MARK: - The handler

static void count_signal(int signal, siginfo_t *information, void *context);

static void call_former(signal_slot *slot, int signal, siginfo_t *information, void *context) {
  informed_handler informed = atomic_load(&slot->informed);
  if (informed) return informed(signal, information, context);
  plain_handler plain = atomic_load(&slot->plain);
  if (plain) plain(signal);
}

static _Bool is_counting(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == count_signal;
}

// A handler of the program that calls this one has replaced the default action. Otherwise the
// action follows when the handler has returned, for the signal is blocked until then.
static void act_by_default(int signal) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) < 0 || !is_counting(&action)) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, NULL);
  raise(signal);
}

static _Bool counts(signal_slot *slot) {
  return atomic_load(&slot->is_watched) && owner_generation == csys_process_generation() &&
         atomic_load(&owner) == getpid();
}

static void count_signal(int signal, siginfo_t *information, void *context) {
  int kept = errno;
  signal_slot *slot = &slots[signal];
  _Bool is_counted = counts(slot);
  if (is_counted) {
    atomic_fetch_add(&slot->count, 1);
    uint64_t one = 1;
    // It fails only while the descriptor is readable anyway.
    ssize_t written = write(atomic_load(&wakeup), &one, sizeof one);
    (void)written;
  } else if (atomic_load(&slot->has_default_action)) {
    act_by_default(signal);
  }
  errno = kept;
  if (!is_counted || signal != CSYS_SIGNAL_UNCHAINED)
    call_former(slot, signal, information, context);
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
  return csys_answer(is_counting(found) ? CSYS_SIGNAL_COUNTED : CSYS_SIGNAL_HANDLED);
}

static _Bool has_default_action(int signal, const struct sigaction *action) {
  if (action->sa_handler != SIG_DFL) return 0;
  return signal != SIGCHLD && signal != SIGCONT && signal != SIGURG && signal != SIGWINCH;
}

static void note_former(int signal, const struct sigaction *former) {
  signal_slot *slot = &slots[signal];
  slot->former = *former;
  atomic_store(&slot->has_default_action, has_default_action(signal, former));
  _Bool is_informed = is_handler(former) && (former->sa_flags & SA_SIGINFO);
  atomic_store(&slot->informed, is_informed ? former->sa_sigaction : NULL);
  atomic_store(&slot->plain, is_handler(former) && !is_informed ? former->sa_handler : NULL);
}

void csys_signal_watch(int32_t signal, _Bool is_watched) {
  atomic_store(&slots[signal].is_watched, is_watched);
}

csys_result csys_signal_install(int32_t signal, _Bool again) {
  signal_slot *slot = &slots[signal];
  const struct sigaction *found = again ? &slot->former : &slot->found;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = count_signal;
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
  if (!again) note_former(signal, found);
  struct sigaction replaced;
  if (sigaction(signal, &action, &replaced) < 0) return csys_answer(-1);
  // Another thread of the program may have changed it in between.
  if (!again && !is_counting(&replaced)) note_former(signal, &replaced);
  return csys_answer(0);
}

csys_result csys_signal_restore(int32_t signal) {
  return csys_answer(sigaction(signal, &slots[signal].former, NULL));
}

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
