#include "csystem_answer.h"
#include "csystem_clock.h"

#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

static const int64_t second = 1000000000;

const int32_t
    CSYS_CLOCK_MONOTONIC = CLOCK_MONOTONIC,
    CSYS_CLOCK_BOOTTIME = CLOCK_BOOTTIME,
    CSYS_CLOCK_REALTIME = CLOCK_REALTIME,
    CSYS_CLOCK_PROCESS_CPUTIME_ID = CLOCK_PROCESS_CPUTIME_ID;

csys_result csys_clock(int32_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) < 0) return csys_answer(-1);
  // csys_answer is not used, because the wall clock may be before 1970.
  csys_result result = {now.tv_sec * second + now.tv_nsec, 0};
  return result;
}

csys_result csys_timerfd(int32_t clock) {
  return csys_answer(timerfd_create(clock, TFD_CLOEXEC));
}

csys_result csys_timerfd_set(int fd, int64_t nanoseconds) {
  struct itimerspec point;
  memset(&point, 0, sizeof point);
  if (nanoseconds > 0) {
    point.it_value.tv_sec = nanoseconds / second;
    point.it_value.tv_nsec = nanoseconds % second;
  }
  return csys_answer(timerfd_settime(fd, TFD_TIMER_ABSTIME, &point, NULL));
}
