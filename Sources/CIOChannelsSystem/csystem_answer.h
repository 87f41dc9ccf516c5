// For the sources of this target only.
//
// The headers in `include` include only headers of the C library with plain types. With _GNU_SOURCE
// some structures differ, and Swift refuses two definitions of one structure.

#ifndef CSYSTEM_ANSWER_H
#define CSYSTEM_ANSWER_H

#define _GNU_SOURCE 1

#include "csystem_result.h"

#include <errno.h>

/// Converts a return value of -1 and `errno` to a result.
static inline csys_result csys_answer(int64_t value) {
  csys_result result = {value, value < 0 ? errno : 0};
  return result;
}

#endif
