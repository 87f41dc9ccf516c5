#include "source.h"

static const uint64_t milli = 1000000;

static struct source timer(dispatch_time_t start, uint64_t interval) {
  struct source source = make_source(DISPATCH_SOURCE_TYPE_TIMER, 0, 0);
  dispatch_source_set_timer(source.source, start, interval, 0);
  return source;
}

// A timer fires at its start, and then at its interval, on both clocks.
static void timer_starts(void) {
  double start = milliseconds();
  struct source source = timer(from_now(50), DISPATCH_TIME_FOREVER);
  dispatch_activate(source.source);
  WAIT(source.event);
  CHECK(milliseconds() - start >= 50);
  pause_for(60);
  EXPECT("reg e1");
  cancel_source(&source);
  EXPECT("cancel");
  start = milliseconds();
  source = timer(dispatch_walltime(NULL, 30 * (int64_t)milli), 20 * milli);
  dispatch_activate(source.source);
  for (int index = 0; index < 3; index++) WAIT(source.event);
  CHECK(milliseconds() - start >= 69);
  cancel_source(&source);
  take_notes();
  source = timer(DISPATCH_TIME_NOW, 10 * milli);
  dispatch_activate(source.source);
  WAIT(source.event);
  cancel_source(&source);
  take_notes();
}

// Fires that a busy or suspended handler misses are counted.
static void timer_counts(void) {
  double start = milliseconds();
  struct source source = timer(from_now(20), 20 * milli);
  dispatch_source_t object = source.source;
  __block size_t sum = 0;
  dispatch_semaphore_t event = source.event;
  dispatch_source_set_event_handler(object, ^{
    sum += dispatch_source_get_data(object);
    // No more than the times that had come before this call.
    CHECK(sum <= (size_t)((milliseconds() - start) / 20));
    if (sum >= 10) dispatch_semaphore_signal(event);
    pause_for(35);
  });
  dispatch_activate(object);
  WAIT(event);
  dispatch_suspend(object);
  dispatch_sync(source.queue, ^{});
  pause_for(5);
  while (dispatch_semaphore_wait(event, DISPATCH_TIME_NOW) == 0) {}
  sum = 0;
  pause_for(205);
  CHECK_EQUAL(sum, 0);
  dispatch_resume(object);
  WAIT(event);
  CHECK(sum >= 10);
  cancel_source(&source);
  take_notes();
}

// The first call of a timer whose start has passed counts the fires since then.
static void timer_past(void) {
  dispatch_time_t now = dispatch_time(DISPATCH_TIME_NOW, 0);
  if (now < 2000 * milli) return;
  struct source source = timer(now - 1000 * milli - milli, 100 * milli);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  __block size_t first = 0, second = 0;
  dispatch_source_set_event_handler(object, ^{
    if (first == 0) first = dispatch_source_get_data(object);
    else second = dispatch_source_get_data(object);
    dispatch_semaphore_signal(event);
  });
  dispatch_activate(object);
  WAIT(event);
  WAIT(event);
  // More than 11 and 1 only if the process stood still for so long.
  CHECK(first >= 11 && first < 100);
  CHECK(second >= 1 && second < 100);
  cancel_source(&source);
  EXPECT("reg cancel");
}

// A timer can be set again, before and after it has fired, and switched off.
static void timer_settings(void) {
  struct source source = timer(DISPATCH_TIME_FOREVER, 10 * milli);
  dispatch_activate(source.source);
  pause_for(50);
  EXPECT("reg");
  dispatch_source_set_timer(source.source, DISPATCH_TIME_NOW, DISPATCH_TIME_FOREVER, 0);
  WAIT(source.event);
  pause_for(20);
  EXPECT("e1");
  // The pending fires of the earlier setting are gone.
  dispatch_source_set_timer(source.source, from_now(10), 10 * milli, 0);
  dispatch_suspend(source.source);
  pause_for(60);
  take_notes();
  dispatch_source_set_timer(source.source, DISPATCH_TIME_FOREVER, DISPATCH_TIME_FOREVER, 0);
  dispatch_resume(source.source);
  pause_for(40);
  EXPECT("");
  while (dispatch_semaphore_wait(source.event, DISPATCH_TIME_NOW) == 0) {}
  dispatch_source_set_timer(source.source, from_now(10), DISPATCH_TIME_FOREVER, 0);
  WAIT(source.event);
  EXPECT("e1");
  cancel_source(&source);
  EXPECT("cancel");
  // Never set.
  source = make_source(DISPATCH_SOURCE_TYPE_TIMER, 0, 0);
  dispatch_activate(source.source);
  pause_for(30);
  EXPECT("reg");
  cancel_source(&source);
  EXPECT("cancel");
}

// An interval of 0 does not hold the program up, nor do thousands of suspended timers.
static void timer_short(void) {
  struct source source = timer(DISPATCH_TIME_NOW, 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  __block size_t sum = 0;
  dispatch_source_set_event_handler(object, ^{
    sum += dispatch_source_get_data(object);
    if (sum > 1000) dispatch_semaphore_signal(event);
  });
  dispatch_activate(object);
  WAIT(event);
  cancel_source(&source);
  enum { count = 2000 };
  static dispatch_source_t idle[count];
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  for (int index = 0; index < count; index++) {
    idle[index] = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, queue);
    dispatch_source_set_timer(idle[index], DISPATCH_TIME_NOW, 5000, 0);
    dispatch_activate(idle[index]);
    dispatch_suspend(idle[index]);
  }
  // Beside other programs, it may take a while until the threads have seen the suspensions.
  double used = 1000;
  for (int round = 0; round < 25 && used >= 100; round++) {
    double start = processor_time();
    pause_for(200);
    used = processor_time() - start;
  }
  if (!IS_REFERENCE) CHECK(used < 100);
  for (int index = 0; index < count; index++) {
    dispatch_source_cancel(idle[index]);
    dispatch_resume(idle[index]);
    dispatch_release(idle[index]);
  }
  dispatch_sync(queue, ^{});
}

const struct row timer_rows[] = {
    {"timer_starts", timer_starts},
    {"timer_counts", timer_counts},
    {"timer_past", timer_past},
    {"timer_settings", timer_settings},
    {"timer_short", timer_short},
    {NULL, NULL},
};
