#include "gcd_abi.h"
#include "gcd_fail.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

// States of a predicate: 0 before the first call, ~0 after its end. In between it is twice the
// number of the thread that runs the function, plus 1 if other threads wait.
static const gcd_once_t done = ~(gcd_once_t)0;
static const gcd_once_t awaited = 1;

/// Calls the kernel on the lower half of a predicate, which changes whenever the predicate does.
static void futex(gcd_once_t *predicate, int operation, uint32_t value) {
  uint32_t *half = (uint32_t *)predicate;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  half += sizeof *predicate / sizeof *half - 1;
#endif
  // A program may read errno after dispatch_once.
  int saved = errno;
  syscall(SYS_futex, half, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
  errno = saved;
}

void gcd_once_f(gcd_once_t *predicate, void *context, gcd_function_t function) {
  gcd_once_t seen = __atomic_load_n(predicate, __ATOMIC_ACQUIRE);
  if (seen == done) return;
  gcd_once_t owner = (gcd_once_t)syscall(SYS_gettid) * 2;
  if (seen == 0 && __atomic_compare_exchange_n(predicate, &seen, owner, false, __ATOMIC_ACQUIRE,
                                               __ATOMIC_ACQUIRE)) {
    function(context);
    seen = __atomic_exchange_n(predicate, done, __ATOMIC_RELEASE);
    if (seen & awaited) futex(predicate, FUTEX_WAKE, INT_MAX);
    return;
  }
  while (seen != done) {
    if ((seen & ~awaited) == owner)
      gcdimpl_fail("dispatch_once: The function calls dispatch_once with its own predicate.");
    if (!(seen & awaited)) {
      gcd_once_t marked = seen | awaited;
      if (!__atomic_compare_exchange_n(predicate, &seen, marked, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_ACQUIRE))
        continue;
      seen = marked;
    }
    futex(predicate, FUTEX_WAIT, (uint32_t)seen);
    seen = __atomic_load_n(predicate, __ATOMIC_ACQUIRE);
  }
}
