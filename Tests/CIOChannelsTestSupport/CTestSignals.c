#define _GNU_SOURCE 1

#include "CTestSignals.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int ct_send(int signal, int count) {
  for (int sent = 0; sent < count; sent += 1) {
    if (kill(getpid(), signal) < 0) return -errno;
  }
  return 0;
}

int ct_queue(int signal, int count, int value) {
  for (int sent = 0; sent < count; sent += 1) {
    while (sigqueue(getpid(), signal, (union sigval){.sival_int = value}) < 0) {
      if (errno != EAGAIN) return -errno;
      usleep(100);
    }
  }
  return 0;
}

int ct_send_to_thread(int signal, int thread) {
  return syscall(SYS_tgkill, getpid(), thread, signal) < 0 ? -errno : 0;
}

static atomic_int calls, last_value, other_was_blocked;
static struct sigaction replaced;

static void plain(int signal) {
  (void)signal;
  calls += 1;
  errno = EDOM;
}

static void informed(int signal, siginfo_t *information, void *context) {
  (void)signal;
  (void)context;
  calls += 1;
  last_value = information->si_value.sival_int;
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  other_was_blocked = sigismember(&mask, SIGUSR2);
}

static void chained(int signal, siginfo_t *information, void *context) {
  calls += 1;
  if (replaced.sa_flags & SA_SIGINFO) {
    replaced.sa_sigaction(signal, information, context);
  } else if (replaced.sa_handler != SIG_DFL && replaced.sa_handler != SIG_IGN) {
    replaced.sa_handler(signal);
  }
}

int ct_set_disposition(int signal, int disposition, int restarts, int stops_are_silent) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  switch (disposition) {
  case CT_DEFAULT: action.sa_handler = SIG_DFL; break;
  case CT_IGNORED: action.sa_handler = SIG_IGN; break;
  case CT_PLAIN: action.sa_handler = plain; break;
  case CT_INFORMED:
    action.sa_sigaction = informed;
    sigaddset(&action.sa_mask, SIGUSR2);
    break;
  default: action.sa_sigaction = chained;
  }
  if (disposition >= CT_INFORMED) action.sa_flags |= SA_SIGINFO;
  if (restarts) action.sa_flags |= SA_RESTART;
  if (stops_are_silent) action.sa_flags |= SA_NOCLDSTOP;
  struct sigaction *former = disposition == CT_CHAINED ? &replaced : NULL;
  return sigaction(signal, &action, former) < 0 ? -errno : 0;
}

int ct_leave_no_zombies(void) {
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) < 0) return -errno;
  action.sa_flags |= SA_NOCLDWAIT;
  return sigaction(SIGCHLD, &action, NULL) < 0 ? -errno : 0;
}

static struct sigaction aside;

int ct_set_aside(int signal) {
  struct sigaction ignoring;
  memset(&ignoring, 0, sizeof ignoring);
  ignoring.sa_handler = SIG_IGN;
  return sigaction(signal, &ignoring, &aside) < 0 ? -errno : 0;
}

int ct_set_back(int signal) { return sigaction(signal, &aside, NULL) < 0 ? -errno : 0; }

void ct_call_set_aside(int signal) {
  siginfo_t information = {.si_signo = signal};
  aside.sa_sigaction(signal, &information, NULL);
}

int ct_disposition(int signal) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) < 0) return -errno;
  if (action.sa_handler == SIG_DFL) return CT_DEFAULT;
  if (action.sa_handler == SIG_IGN) return CT_IGNORED;
  if (action.sa_handler == plain) return CT_PLAIN;
  if (action.sa_sigaction == informed) return CT_INFORMED;
  return action.sa_sigaction == chained ? CT_CHAINED : CT_OTHER;
}

static int has_flag(int signal, int flag) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && (action.sa_flags & flag) != 0;
}

int ct_restarts(int signal) { return has_flag(signal, SA_RESTART); }

int ct_stops_are_silent(int signal) { return has_flag(signal, SA_NOCLDSTOP); }

int ct_handler_calls(void) { return calls; }

int ct_last_value(void) { return last_value; }

int ct_other_was_blocked(void) { return other_was_blocked; }

int ct_block(int signal, int is_blocked) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return -pthread_sigmask(is_blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static pid_t await(pid_t child, int *status, int options) {
  pid_t found;
  do {
    found = waitpid(child, status, options);
  } while (found < 0 && errno == EINTR);
  return found;
}

int ct_zombies(int children) {
  for (int started = 0; started < children; started += 1) {
    pid_t child = fork();
    if (child < 0) return -errno;
    if (child == 0) _exit(0);
  }
  int zombies = 0;
  // Without zombies the call fails once the last child has ended.
  while (await(-1, NULL, 0) > 0) zombies += 1;
  return errno == ECHILD ? zombies : -errno;
}

int ct_stop_child(void) {
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) {
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  if (await(child, &status, WUNTRACED) < 0) return -errno;
  if (!WIFSTOPPED(status)) return -EINVAL;
  if (kill(child, SIGKILL) < 0) return -errno;
  return await(child, &status, 0) < 0 ? -errno : 0;
}

int ct_end_of_child(int child) {
  int status = 0;
  if (await(child, &status, 0) < 0) return -errno - 1000;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void ct_leave(int status) { _exit(status); }

int ct_limit_signals(int count) {
  struct rlimit limit = {(rlim_t)count, (rlim_t)count};
  return setrlimit(RLIMIT_SIGPENDING, &limit) < 0 ? -errno : 0;
}

/// Reads one line of a thread's status behind its label.
static int read_status(const char *thread, const char *label, char *value, size_t capacity) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  int is_found = 0;
  while (!is_found && fgets(line, sizeof line, file)) {
    if (strncmp(line, label, strlen(label)) != 0) continue;
    snprintf(value, capacity, "%s", line + strlen(label));
    value[strcspn(value, "\n")] = 0;
    is_found = 1;
  }
  fclose(file);
  return is_found;
}

uint64_t ct_blocked_by_sources(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return 0;
  uint64_t blocked = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    char found[64];
    if (!read_status(entry->d_name, "Name:\t", found, sizeof found)) continue;
    if (strcmp(found, "sources") != 0) continue;
    if (read_status(entry->d_name, "SigBlk:\t", found, sizeof found))
      blocked = strtoull(found, NULL, 16);
  }
  closedir(threads);
  return blocked;
}
