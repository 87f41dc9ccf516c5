#include "tool.h"

static const uint64_t top = 1ull << 63;
static const uint64_t greatest = (1ull << 62) - 1;

// Sums keep the clock of the first operand, and saturate.
static void times(void) {
  int64_t second = (int64_t)NSEC_PER_SEC;
  CHECK(dispatch_time(DISPATCH_TIME_FOREVER, -second) == DISPATCH_TIME_FOREVER);
  CHECK(dispatch_time(DISPATCH_TIME_FOREVER, second) == DISPATCH_TIME_FOREVER);
  dispatch_time_t now = dispatch_time(DISPATCH_TIME_NOW, 0);
  CHECK(now > 0 && now < top);
  struct timespec clock;
  clock_gettime(CLOCK_MONOTONIC, &clock);
  int64_t difference = (int64_t)clock.tv_sec * second + clock.tv_nsec - (int64_t)now;
  CHECK(difference >= 0 && difference < second);
  CHECK(dispatch_time(now, second) == now + NSEC_PER_SEC);
  CHECK(dispatch_time(now, -second) == now - NSEC_PER_SEC);
  CHECK(dispatch_time(5, -5) == 1);
  CHECK(dispatch_time(5, -100) == 1);
  CHECK(dispatch_time(now, INT64_MAX) == DISPATCH_TIME_FOREVER);
  CHECK(dispatch_time(greatest - 2, 1) == greatest - 1);
  CHECK(dispatch_time(greatest - 1, 1) == DISPATCH_TIME_FOREVER);
  CHECK(dispatch_time(DISPATCH_TIME_NOW, INT64_MIN) == 1);
}

// Times of the wall clock are negated nanoseconds since 1970.
static void wall_times(void) {
  struct timespec point = {1000, 7};
  dispatch_time_t wall = dispatch_walltime(&point, 0);
  CHECK(wall == (dispatch_time_t)-(1000 * (int64_t)NSEC_PER_SEC + 7));
  CHECK(dispatch_walltime(&point, 3) == wall - 3);
  CHECK(dispatch_time(wall, 3) == wall - 3);
  CHECK(dispatch_time(wall, -7) == wall + 7);
  CHECK(dispatch_time(wall, INT64_MAX) == DISPATCH_TIME_FOREVER);
  CHECK(dispatch_walltime(&point, INT64_MIN) == (dispatch_time_t)-2);
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  dispatch_time_t now = dispatch_walltime(NULL, 0);
  int64_t difference =
      -(int64_t)now - ((int64_t)clock.tv_sec * (int64_t)NSEC_PER_SEC + clock.tv_nsec);
  CHECK(difference >= 0 && difference < (int64_t)NSEC_PER_SEC);
  dispatch_time_t also = dispatch_time(DISPATCH_WALLTIME_NOW, 0);
  CHECK((int64_t)(now - also) >= 0 && now - also < NSEC_PER_SEC);
}

// A wait ends at its timeout, on both clocks.
static void timeouts(void) {
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
  dispatch_group_t group = dispatch_group_create();
  dispatch_group_enter(group);
  double start = milliseconds();
  errno = 0;
  CHECK_EQUAL(dispatch_semaphore_wait(semaphore, from_now(30)), -1);
  CHECK_EQUAL(errno, ETIMEDOUT);
  CHECK(dispatch_group_wait(group, from_now(30)) != 0);
  CHECK(dispatch_group_wait(group, dispatch_walltime(NULL, 30 * (int64_t)NSEC_PER_MSEC)) != 0);
  CHECK(milliseconds() - start >= 89);
  start = milliseconds();
  CHECK(dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) != 0);
  CHECK(dispatch_semaphore_wait(semaphore, 1) != 0);
  CHECK(dispatch_semaphore_wait(semaphore, (dispatch_time_t)-2) != 0);
  CHECK(dispatch_group_wait(group, DISPATCH_TIME_NOW) != 0);
  CHECK(milliseconds() - start < 1000);
  dispatch_group_leave(group);
  CHECK(dispatch_group_wait(group, DISPATCH_TIME_NOW) == 0);
}

const struct row time_rows[] = {
    {"times", times},
    {"wall_times", wall_times},
    {"timeouts", timeouts},
    {NULL, NULL},
};
