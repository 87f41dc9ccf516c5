#include "csystem_answer.h"
#include "csystem_signal.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

const int32_t CSYS_SIGHUP = SIGHUP, CSYS_SIGINT = SIGINT, CSYS_SIGPIPE = SIGPIPE,
              CSYS_SIGUSR1 = SIGUSR1, CSYS_SIGTERM = SIGTERM;

// A signal that was ignored at the start of the process stays ignored. If it were blocked, the
// descriptor would report it.
static sigset_t csys_watched(void) {
  const int signals[] = {SIGHUP, SIGINT, SIGUSR1, SIGTERM};
  sigset_t set;
  sigemptyset(&set);
  for (unsigned index = 0; index < sizeof signals / sizeof *signals; index += 1) {
    struct sigaction found;
    if (sigaction(signals[index], NULL, &found) == 0 && found.sa_handler != SIG_IGN) {
      sigaddset(&set, signals[index]);
    }
  }
  return set;
}

static csys_result csys_mask(int how) {
  sigset_t set = csys_watched();
  csys_result result = {0, pthread_sigmask(how, &set, NULL)};
  return result;
}

csys_result csys_signals_block(void) { return csys_mask(SIG_BLOCK); }

csys_result csys_signals_unblock(void) { return csys_mask(SIG_UNBLOCK); }

csys_result csys_signals_open(void) {
  sigset_t set = csys_watched();
  return csys_answer(signalfd(-1, &set, SFD_CLOEXEC));
}

csys_result csys_signals_read(int fd) {
  struct signalfd_siginfo information;
  if (read(fd, &information, sizeof information) < 0) return csys_answer(-1);
  return csys_answer((int64_t)information.ssi_signo);
}

csys_result csys_wait_readable(int fd, int milliseconds) {
  struct pollfd entry = {fd, POLLIN, 0};
  return csys_answer(poll(&entry, 1, milliseconds));
}

csys_result csys_raise(int signal) { return csys_answer(raise(signal)); }

csys_result csys_ignores_signal(int signal) {
  struct sigaction found;
  if (sigaction(signal, NULL, &found) < 0) return csys_answer(-1);
  return csys_answer(found.sa_handler == SIG_IGN);
}

csys_result csys_raise_by_default(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  if (sigaction(signal, &action, NULL) < 0) return csys_answer(-1);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  return csys_answer(raise(signal));
}

csys_result csys_terminal_columns(int fd) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return csys_answer(-1);
  return csys_answer(size.ws_col);
}

csys_result csys_is_in_foreground(int fd) {
  pid_t group = tcgetpgrp(fd);
  // A terminal stops only processes that it controls.
  if (group < 0) return csys_answer(errno == ENOTTY);
  return csys_answer(group == getpgrp());
}
