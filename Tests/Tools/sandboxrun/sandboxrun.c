// Runs a command in a narrower world.
//
//   sandboxrun [uring=ERRNO] [deny=CALL:ERRNO]... [nofile=N] [fsize=N] [memlock=N] [nproc=N]
//              [stack=N] [as=N] [uid=N] [nocaps=1] [peak=1] -- COMMAND [ARGUMENT]...
//
// `deny` makes a system call, given by its number, answer an error; `uring` is that for
// `io_uring_setup`. `nocaps` takes root's privileges and leaves the user. With `peak` the most KiB
// that the command had resident are printed in the end, without what its starter had. The others
// are resource limits, in the units of setrlimit(2), and the user and group to become. The sandbox's
// own failures exit with 125.

#define _GNU_SOURCE 1

#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The system call numbers of this processor are not known here."
#endif

enum { maximum_denials = 32 };

struct denial {
  unsigned call;
  unsigned error;
};

static void stop(const char *what) {
  fprintf(stderr, "sandboxrun: %s: %s\n", what, strerror(errno));
  exit(125);
}

static void misuse(const char *what) {
  fprintf(stderr, "sandboxrun: not understood: %s\n", what);
  exit(125);
}

static unsigned long number(const char *text, const char **end) {
  char *rest;
  errno = 0;
  unsigned long value = strtoul(text, &rest, 10);
  if (rest == text || errno != 0) misuse(text);
  if (end != NULL) {
    *end = rest;
  } else if (*rest != 0) {
    misuse(text);
  }
  return value;
}

static void limit(int resource, const char *name, unsigned long value) {
  struct rlimit both = {value, value};
  if (setrlimit(resource, &both) < 0) stop(name);
}

/// Installs a filter that answers errors for the denied calls and allows all others.
static void deny(const struct denial *denials, size_t count) {
  struct sock_filter program[4 + 2 * maximum_denials + 1];
  size_t length = 0;
  program[length++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program[length++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t index = 0; index < count; index += 1) {
    program[length++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, denials[index].call, 0, 1);
    program[length++] = (struct sock_filter)BPF_STMT(
        BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (denials[index].error & SECCOMP_RET_DATA));
  }
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

  struct sock_fprog filter = {.len = (unsigned short)length, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) stop("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0) stop("seccomp");
}

/// Lets a child be the command, and tells how much memory it had.
static void watch(void) {
  pid_t child = fork();
  if (child < 0) stop("fork");
  if (child == 0) return;
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) stop("wait");
  fprintf(stderr, "sandboxrun: peak %ld\n", usage.ru_maxrss);
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 125);
}

/// Leaves nothing in the bounding set, so that root executes without privileges.
static void drop_capabilities(void) {
  for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number += 1) {
    if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0) stop("nocaps");
  }
}

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '='
      ? argument + length + 1 : NULL;
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    int resource;
  } limits[] = {
    {"nofile", RLIMIT_NOFILE}, {"fsize", RLIMIT_FSIZE}, {"memlock", RLIMIT_MEMLOCK},
    {"nproc", RLIMIT_NPROC},   {"stack", RLIMIT_STACK}, {"as", RLIMIT_AS},
  };
  struct denial denials[maximum_denials];
  size_t denied = 0;
  long user = -1;
  int without_capabilities = 0;
  int is_watched = 0;
  int index = 1;

  for (; index < count && strcmp(arguments[index], "--") != 0; index += 1) {
    const char *argument = arguments[index];
    const char *value;
    int known = 0;
    for (size_t row = 0; row < sizeof limits / sizeof *limits; row += 1) {
      if ((value = value_of(argument, limits[row].name)) != NULL) {
        limit(limits[row].resource, limits[row].name, number(value, NULL));
        known = 1;
      }
    }
    if ((value = value_of(argument, "uid")) != NULL) {
      user = (long)number(value, NULL);
      known = 1;
    }
    if ((value = value_of(argument, "nocaps")) != NULL) {
      without_capabilities = number(value, NULL) == 1;
      known = 1;
    }
    if ((value = value_of(argument, "peak")) != NULL) {
      is_watched = number(value, NULL) == 1;
      known = 1;
    }
    struct denial wish = {SYS_io_uring_setup, 0};
    int denies = 0;
    if ((value = value_of(argument, "uring")) != NULL) {
      wish.error = (unsigned)number(value, NULL);
      denies = 1;
    } else if ((value = value_of(argument, "deny")) != NULL) {
      const char *rest;
      wish.call = (unsigned)number(value, &rest);
      if (*rest != ':') misuse(argument);
      wish.error = (unsigned)number(rest + 1, NULL);
      denies = 1;
    }
    if (denies) {
      if (denied == maximum_denials) misuse("too many denied calls");
      denials[denied++] = wish;
    }
    if (!known && !denies) misuse(argument);
  }
  if (index + 1 >= count) misuse("no command");
  if (is_watched) watch();

  if (without_capabilities && geteuid() == 0) drop_capabilities();
  if (user >= 0) {
    if (setgroups(0, NULL) < 0 || setgid((gid_t)user) < 0 || setuid((uid_t)user) < 0) stop("uid");
  }
  if (denied > 0) deny(denials, denied);
  execvp(arguments[index + 1], arguments + index + 1);
  stop(arguments[index + 1]);
}
