#include "csystem_process.h"

#include <stddef.h>

static int32_t kept_count;

static char **kept_words;

// glibc hands constructors what it hands main; reading the words later would need /proc.
__attribute__((constructor)) static void csys_keep_arguments(int count, char **words) {
  kept_count = count;
  kept_words = words;
}

int32_t csys_argument_count(void) { return kept_count; }

const char *csys_argument(int32_t index) {
  return index >= 0 && index < kept_count ? kept_words[index] : NULL;
}
