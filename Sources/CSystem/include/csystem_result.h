// What a call answered.

#ifndef CSYSTEM_RESULT_H
#define CSYSTEM_RESULT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <features.h>

#include <errno.h>
#include <stdint.h>

/// The value of a call, or the error number when `error` is not 0.
typedef struct {
  int64_t value;
  int32_t error;
} csys_result;

/// Turns a return value of -1 and `errno` into a result.
static inline csys_result csys_answer(int64_t value) {
  csys_result result = {value, value < 0 ? errno : 0};
  return result;
}

#endif
