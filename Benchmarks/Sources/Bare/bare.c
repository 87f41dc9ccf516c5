#include "bare.h"

#include <err.h>
#include <stdlib.h>

double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The finalizer of SplitMix64, as in the engine's driver.
uint64_t mixed(uint64_t index) {
  uint64_t bits = index + 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

void *memory(size_t size) {
  void *start = malloc(size);
  if (!start) err(1, "memory");
  return start;
}
