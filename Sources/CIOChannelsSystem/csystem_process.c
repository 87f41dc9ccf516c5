#define _GNU_SOURCE 1

#include "csystem_process.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/stat.h>

static int32_t kept_count;

static char **kept_words;

// glibc passes the arguments of main to constructors. Reading them later would need /proc.
__attribute__((constructor)) static void csys_keep_arguments(int count, char **words) {
  kept_count = count;
  kept_words = words;
}

int32_t csys_argument_count(void) { return kept_count; }

const char *csys_argument(int32_t index) {
  return index >= 0 && index < kept_count ? kept_words[index] : NULL;
}

// The child has one thread when it writes here, and no other process shares this memory.
uint32_t csys_generation;

static void csys_note_fork(void) { csys_generation += 1; }

__attribute__((constructor)) static void csys_watch_forks(void) {
  // If there is no memory for the handler a fork is not noticed.
  (void)pthread_atfork(NULL, NULL, csys_note_fork);
}

// umask also changes the mask, which other threads must not notice.
static void *csys_ask_mask(void *argument) {
  csys_result *result = argument;
  if (unshare(CLONE_FS) < 0) {
    result->error = errno;
  } else {
    result->value = umask(077);
  }
  return NULL;
}

csys_result csys_creation_mask(void) {
  csys_result result = {0};
  pthread_t thread;
  int error = pthread_create(&thread, NULL, csys_ask_mask, &result);
  if (error == 0) error = pthread_join(thread, NULL);
  if (error != 0) result.error = error;
  return result;
}

uint32_t csys_change_creation_mask(uint32_t mask) { return umask(mask); }

void csys_trap(void) { __builtin_trap(); }
