// Counts what the process asks of the allocator and of Swift's reference counts.
//
// A program that this is linked into calls the allocator through here, and so do its libraries; the
// references that libraries count for themselves are left out.

#ifndef C_COUNTING_H
#define C_COUNTING_H

#include <stdint.h>

/// The process's counts so far.
typedef struct {
  /// Pieces of memory that were asked for, enlarged ones included.
  uint64_t allocations;
  /// Calls that retain an object.
  uint64_t retains;
  /// How often one of the threads gave up its processor to wait.
  uint64_t sleeps;
} cc_counts;

/// The counts so far.
cc_counts cc_counts_now(void);

#endif
