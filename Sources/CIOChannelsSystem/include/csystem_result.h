// The result of a call.

#ifndef CSYSTEM_RESULT_H
#define CSYSTEM_RESULT_H

#include <stdint.h>

/// The value of a call, or the error number when `error` is not 0.
typedef struct {
  int64_t value;
  int32_t error;
} csys_result;

#endif
