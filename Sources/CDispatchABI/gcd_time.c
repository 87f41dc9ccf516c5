#include "gcd_abi.h"

gcd_time_t gcd_walltime(const struct timespec *when, int64_t delta) {
  if (!when) return gcdimpl_walltime_now(delta);
  return gcdimpl_walltime(when->tv_sec, when->tv_nsec, delta);
}
