// Runs a command and prints how much memory it had at most, in KiB.
//
//   peak COMMAND [ARGUMENT]...
//
// A small program of its own: what a process occupies counts for what it starts.

#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: peak COMMAND [ARGUMENT]...\n");
    return 2;
  }
  pid_t child;
  if (posix_spawnp(&child, arguments[1], NULL, NULL, arguments + 1, environ) != 0) {
    perror(arguments[1]);
    return 1;
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0 || status != 0) {
    fprintf(stderr, "peak: %s failed\n", arguments[1]);
    return 1;
  }
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
