#include "tool.h"

#include <pthread.h>

static dispatch_once_t predicate;
static int calls;

static void slow(void *context) {
  pause_for(50);
  *(int *)context += 1;
}

static void *contender(void *context) {
  dispatch_once_f(&predicate, context, slow);
  CHECK_EQUAL(calls, 1);
  return NULL;
}

// One of many threads runs the function, and the others return after it has returned.
static void once(void) {
  CHECK_EQUAL(predicate, 0);
  pthread_t threads[8];
  for (int index = 0; index < 8; index++)
    CHECK(pthread_create(&threads[index], NULL, contender, &calls) == 0);
  for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
  CHECK_EQUAL(calls, 1);
  CHECK_EQUAL(predicate, ~(dispatch_once_t)0);
  static dispatch_once_t second;
  __block int runs = 0;
  for (int index = 0; index < 3; index++) {
    dispatch_once(&second, ^{
      int one = 1, none = 0;
      runs += one + none;
    });
  }
  CHECK_EQUAL(runs, 1);
  CHECK_EQUAL(second, ~(dispatch_once_t)0);
  void (*function)(dispatch_once_t *, void *, dispatch_function_t) = dispatch_once_f;
  function(&second, &runs, slow);
  CHECK_EQUAL(runs, 1);
}

const struct row once_rows[] = {
    {"once", once},
    {NULL, NULL},
};
