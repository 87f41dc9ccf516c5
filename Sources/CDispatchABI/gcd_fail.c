#include "gcd_fail.h"

#include <string.h>
#include <sys/uio.h>

void gcdimpl_fail(const char *message) {
  static const char start[] = "Fatal error: ";
  struct iovec parts[] = {
      {(void *)start, sizeof start - 1},
      {(void *)message, strlen(message)},
      {(void *)"\n", 1},
  };
  ssize_t written = writev(2, parts, 3);
  (void)written;
  __builtin_trap();
}
