// What goes wrong, by operation and name.

#ifndef RULES_H
#define RULES_H

#include <stddef.h>
#include <stdint.h>

/// What happens to an operation.
struct fault {
  /// The error to answer, 0 for none.
  int error;
  /// The most bytes that a transfer may move, `SIZE_MAX` for any number.
  size_t length;
  /// Whether a bit of the transferred bytes is turned over.
  int flips;
  /// Whether the operation is recorded.
  int is_recorded;
};

/// Where the rules stand, and where every use of one is noted.
void set_rules(const char *path);

/// Finds what is to happen and waits where a rule says so.
///
/// `offset` and `count` say which bytes a transfer is about; `count` is 0 for other operations.
struct fault next_fault(const char *operation, const char *name, uint64_t offset, size_t count);

/// Appends an operation and the bytes that were written to the record of operations.
///
/// A write is to be recorded before it is answered, and a flush before it begins. Then every write
/// that was answered before a flush stands in front of it.
void record(
    const char *operation, const char *name, uint64_t offset, const void *bytes, size_t count);

#endif
