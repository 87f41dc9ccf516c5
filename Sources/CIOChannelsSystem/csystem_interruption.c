#include "csystem_answer.h"
#include "csystem_interruption.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int reserved;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The signal needs a handler, because an ignored signal interrupts no call.
static void caught(int signal) { (void)signal; }

static void reserve(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  // SA_RESTART is not set, because it would restart the call.
  action.sa_handler = caught;
  sigfillset(&action.sa_mask);
  // The search starts at the last signal, because programs that number their own start at the
  // first.
  for (int signal = SIGRTMAX; signal >= SIGRTMIN && reserved == 0; signal -= 1) {
    struct sigaction found;
    if (sigaction(signal, NULL, &found) != 0 || found.sa_handler != SIG_DFL) continue;
    if (sigaction(signal, &action, NULL) == 0) reserved = signal;
  }
}

int32_t csys_interruption_signal(void) {
  pthread_once(&once, reserve);
  return reserved;
}

int32_t csys_interruption_reserved(void) { return reserved; }

static _Bool change_mask(int how) {
  sigset_t set, own;
  sigemptyset(&set);
  sigaddset(&set, csys_interruption_signal());
  pthread_sigmask(how, &set, &own);
  return sigismember(&own, csys_interruption_signal()) == 1;
}

_Bool csys_interruption_allow(void) { return change_mask(SIG_UNBLOCK); }

void csys_interruption_forbid(void) { change_mask(SIG_BLOCK); }

csys_result csys_interruption_send(int32_t thread) {
  return csys_answer(syscall(SYS_tgkill, getpid(), thread, csys_interruption_signal()));
}
