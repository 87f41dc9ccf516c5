// Runs a command while an attacker swaps pairs of names as fast as he can.
//
//   flip A B [A B]... -- COMMAND [ARGUMENT]...
//
// Each pair is exchanged in one step, so that both names are always there: what a walk finds as a
// directory is a symbolic link the next moment. A pair that is out of reach is passed over.
// Where this program has the rights of root, the attacker has those of the user 65534. The command
// starts after the first round; its end is the attacker's, and its status this program's.

#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { nobody = 65534 };

static void stop(const char *what) {
  fprintf(stderr, "flip: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void swap(char **names, int count, int told) {
  if (geteuid() == 0) {
    if (setgroups(0, NULL) < 0 || setgid(nobody) < 0 || setuid(nobody) < 0) stop("user");
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (unsigned long round = 0;; round += 1) {
    for (int index = 0; index < count; index += 2) {
      // A pair inside another one is out of reach half of the time.
      (void)!renameat2(AT_FDCWD, names[index], AT_FDCWD, names[index + 1], RENAME_EXCHANGE);
    }
    if (round == 0 && write(told, ".", 1) < 0) stop("pipe");
  }
}

int main(int count, char **arguments) {
  int names = 0;
  while (names + 1 < count && strcmp(arguments[names + 1], "--") != 0) names += 1;
  if (names == 0 || names % 2 != 0 || names + 2 >= count) {
    fprintf(stderr, "usage: flip A B [A B]... -- COMMAND [ARGUMENT]...\n");
    return 125;
  }
  int told[2];
  if (pipe2(told, O_CLOEXEC) < 0) stop("pipe");
  pid_t attacker = fork();
  if (attacker < 0) stop("fork");
  if (attacker == 0) swap(arguments + 1, names, told[1]);
  close(told[1]);
  char dot;
  if (read(told[0], &dot, 1) != 1) stop("the attacker did not begin");
  pid_t command = fork();
  if (command < 0) stop("fork");
  if (command == 0) {
    execvp(arguments[names + 2], arguments + names + 2);
    stop(arguments[names + 2]);
  }
  int status = 0;
  if (waitpid(command, &status, 0) < 0) stop("wait");
  // An attacker that ended before has shown nothing.
  if (waitpid(attacker, NULL, WNOHANG) != 0) stop("the attacker ended");
  kill(attacker, SIGKILL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
