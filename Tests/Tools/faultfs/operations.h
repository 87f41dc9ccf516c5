// What the kernel asks for and what it is answered.

#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// The most bytes of one read or write.
  maximum_transfer = 1 << 20,
  /// The most bytes of a question: a write and what describes it.
  maximum_question = maximum_transfer + 4096,
};

/// A question of the kernel's with room for the answer.
struct question {
  const struct fuse_in_header *header;
  /// What follows the header, and its length.
  const void *argument;
  size_t argument_length;
  /// Where the answer goes, `maximum_question` bytes, and its length.
  void *answer;
  size_t length;
};

/// Answers a question: 0 with `length` bytes in `answer`, or a negative error number.
int answer(struct question *question);

/// Answers questions about names in directories.
int answer_name(struct question *question, int *is_known);

/// Answers questions about open files.
int answer_file(struct question *question, int *is_known);

/// Looks a name up, which tells the kernel what a file is.
int look_up(struct question *question, int directory, const char *name);

/// Describes a file.
int describe(int handle, struct fuse_attr *attributes);

/// The path that leads to an open file or handle.
void path_of(int handle, char path[32]);

/// How the kernel is to use open files: past the page cache, without a position, or as any.
extern uint32_t open_flags;

/// How long the kernel may use the answer about a name or attributes again.
extern uint64_t valid_seconds;

/// How long regular files are said to be.
enum lie { TRUE_SIZES, LARGER_SIZES, SMALLER_SIZES, ZERO_SIZES, HUGE_NUMBERS };
extern enum lie size_lie;

/// The seconds of all times, where they are not those of the files.
extern int64_t told_seconds;
extern int prefers_long;

#endif
