// Runs a command and sends it a signal at one of its system calls.
//
//   signalat SIGNAL NUMBER FILE COMMAND [ARGUMENT]...
//
// The calls of all threads are counted from the start of the command's program. The thread that
// makes call NUMBER waits at it until another thread has returned from a poll and polls again, so
// that a thread which watches for signals has acted on this one. FILE gets the number of calls that
// were counted, and this program ends as the command does.

#define _GNU_SOURCE 1

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// How long a thread waits at its call, in milliseconds: there may be no thread that polls.
enum { patience = 200 };

static pid_t command;
static pid_t waiting;
static int threads = 1;
static int has_begun;
static int was_sent;
static unsigned long count;

static void stop(const char *what) {
  fprintf(stderr, "signalat: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void resume(pid_t thread, int signal) {
  // The thread may have been killed meanwhile.
  (void)!ptrace(was_sent && waiting == 0 ? PTRACE_CONT : PTRACE_SYSCALL, thread, 0, signal);
}

static int is_poll(unsigned long long number) {
#ifdef SYS_poll
  if (number == SYS_poll) return 1;
#endif
  return number == SYS_ppoll;
}

static void release(void) {
  pid_t thread = waiting;
  waiting = 0;
  if (thread != 0) resume(thread, 0);
}

/// Counts a call, and sends the signal where it is the one.
///
/// Returns whether the thread waits.
static int enter(pid_t thread, unsigned long long number, int signal, unsigned long which) {
  count += 1;
  if (waiting != 0 && thread != waiting && is_poll(number)) release();
  if (was_sent || count < which) return 0;
  was_sent = 1;
  if (kill(command, signal) < 0) stop("kill");
  if (threads < 2 || is_poll(number)) return 0;
  waiting = thread;
  return 1;
}

static void stopped(pid_t thread, int status, int signal, unsigned long which) {
  int event = status >> 16, cause = WSTOPSIG(status);
  if (event == PTRACE_EVENT_EXEC) has_begun = 1;
  if (event == PTRACE_EVENT_CLONE) threads += 1;
  if (event != 0) return resume(thread, 0);
  if (cause != (SIGTRAP | 0x80)) return resume(thread, cause == SIGSTOP ? 0 : cause);
  struct __ptrace_syscall_info info = {.op = PTRACE_SYSCALL_INFO_NONE};
  (void)!ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
  if (has_begun && info.op == PTRACE_SYSCALL_INFO_ENTRY &&
      enter(thread, info.entry.nr, signal, which)) {
    return;
  }
  resume(thread, 0);
}

static void finish(int status, const char *path) {
  FILE *file = fopen(path, "we");
  if (file == NULL || fprintf(file, "%lu\n", count) < 0 || fclose(file) != 0) stop(path);
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(125);
}

int main(int arguments, char **words) {
  if (arguments < 5) {
    fprintf(stderr, "usage: signalat SIGNAL NUMBER FILE COMMAND [ARGUMENT]...\n");
    return 125;
  }
  int signal = atoi(words[1]);
  unsigned long which = strtoul(words[2], NULL, 10);
  command = fork();
  if (command < 0) stop("fork");
  if (command == 0) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 || raise(SIGSTOP) != 0) stop("trace");
    execvp(words[4], words + 4);
    stop(words[4]);
  }
  int status;
  if (waitpid(command, &status, __WALL) < 0 || !WIFSTOPPED(status)) stop("start");
  long options =
    PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
  if (ptrace(PTRACE_SETOPTIONS, command, 0, options) < 0) stop("options");
  resume(command, 0);
  for (int pauses = 0;;) {
    pid_t thread = waitpid(-1, &status, __WALL | (waiting != 0 ? WNOHANG : 0));
    if (thread < 0) stop("wait");
    if (thread == 0) {
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
      pauses += 1;
      if (pauses >= patience) release();
    } else if (WIFSTOPPED(status)) {
      stopped(thread, status, signal, which);
    } else if (thread == command) {
      finish(status, words[3]);
    } else {
      threads -= 1;
    }
  }
}
