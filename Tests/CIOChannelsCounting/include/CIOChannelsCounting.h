// Counts what the process asks of the allocator, of Swift's reference counts and of the kernel.
//
// A program that this is linked into calls the allocator through here, and so do its libraries; the
// references that libraries count for themselves are left out.

#ifndef C_COUNTING_H
#define C_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

/// The process's counts so far.
typedef struct {
  /// Pieces of memory that were asked for, enlarged ones included.
  uint64_t allocations;
  /// Calls that retain an object.
  uint64_t retains;
  /// How often one of the threads gave up its processor to wait.
  uint64_t sleeps;
  /// System calls of all threads that began after `cc_count_calls`.
  uint64_t calls;
} cc_counts;

/// Begins to count system calls, before the process has a second thread.
///
/// Returns false where the kernel does not let it, as it does not without root.
bool cc_count_calls(void);

/// The counts so far.
cc_counts cc_counts_now(void);

#endif
