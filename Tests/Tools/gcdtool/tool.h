// What the rows of this program share: checks, and a record of what happened in which order.
//
// Each row is a function that a process of its own calls. A failed check prints the condition and
// ends the process with status 1.

#ifndef GCDTOOL_H
#define GCDTOOL_H

#define _GNU_SOURCE

#ifdef REFERENCE
#include <dispatch/dispatch.h>
#else
#include <dispatch/private.h>
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

// Beside libgcd the rows run with Dispatch itself, if REFERENCE is defined.
#if !defined(DISPATCH_SYMBOL) && !defined(REFERENCE)
#error "<dispatch/dispatch.h> is that of another library."
#endif
#ifdef REFERENCE
#define IS_REFERENCE 1
#define DISPATCH_QUEUE_OVERCOMMIT 2
#define QOS_CLASS_USER_INTERACTIVE 0x21
#define QOS_CLASS_USER_INITIATED 0x19
#define QOS_CLASS_DEFAULT 0x15
#define QOS_CLASS_UTILITY 0x11
#define QOS_CLASS_BACKGROUND 0x09
#define QOS_CLASS_UNSPECIFIED 0
#else
#define IS_REFERENCE 0
#endif

/// Ends the process with a message unless a condition is true.
#define CHECK(condition) tool_check((condition), #condition, __FILE__, __LINE__)
void tool_check(bool is_true, const char *condition, const char *file, int line);

/// Ends the process with both values unless they are equal.
#define CHECK_EQUAL(found, expected)                                                              \
  tool_check_equal((long long)(found), (long long)(expected), #found, __FILE__, __LINE__)
void tool_check_equal(long long found, long long expected, const char *text, const char *file,
                      int line);

/// Appends words to the record; any thread may.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Waits until the record is exactly this text, for five seconds at most; clears the record.
#define EXPECT(text) tool_expect((text), __FILE__, __LINE__)
void tool_expect(const char *text, const char *file, int line);
/// Waits until the record contains this text, for ten seconds at most.
#define AWAIT(text) tool_await((text), __FILE__, __LINE__)
void tool_await(const char *text, const char *file, int line);
/// Copies the record, which the caller frees, and clears it.
char *take_notes(void);

/// Waits for a semaphore, for ten seconds at most.
#define WAIT(semaphore) tool_wait((semaphore), __FILE__, __LINE__)
void tool_wait(dispatch_semaphore_t semaphore, const char *file, int line);
/// Waits for some milliseconds.
void pause_for(int milliseconds);
/// Milliseconds of the monotonic clock.
double milliseconds(void);
/// Milliseconds of processor time of this process.
double processor_time(void);

/// Returns a time some milliseconds from now.
dispatch_time_t from_now(int milliseconds);
/// Returns the default global queue.
dispatch_queue_t global_queue(void);

/// Creates an empty file that has no name, and returns its descriptor.
int unnamed_file(void);
/// Creates a file of `size` bytes, byte N being N modulo 251.
int file_of_size(size_t size);
/// Creates an empty directory below the directory for temporary files; the path is static.
const char *temporary_directory(void);

/// A row.
struct row {
  const char *name;
  void (*function)(void);
};
extern const struct row channel_rows[], data_rows[], descriptor_rows[], error_rows[], group_rows[],
    item_rows[], misuse_rows[], object_rows[], observation_rows[], once_rows[], queue_rows[],
    source_rows[], specific_rows[], time_rows[], timer_rows[], width_rows[],
    write_rows[];

#endif
