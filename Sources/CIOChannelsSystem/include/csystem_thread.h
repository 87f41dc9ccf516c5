// Threads: start, names, parking, and their state in the kernel.

#ifndef CSYSTEM_THREAD_H
#define CSYSTEM_THREAD_H

#include "csystem_result.h"

#include <stddef.h>

/// Waits while `*word` is `expected`; a negative number of nanoseconds waits without a timeout.
csys_result csys_futex_wait(
    const uint32_t *word, uint32_t expected, int64_t nanoseconds);

/// Wakes at most `count` waiters and returns their number.
csys_result csys_futex_wake(const uint32_t *word, int count);

/// Starts a detached thread with all signals blocked.
///
/// The body sets its own mask, whatever the mask of the starting thread. The error is `EAGAIN` also
/// if a limit leaves less than 256 MiB of memory.
csys_result csys_thread_start(void *(*body)(void *), void *context);

/// Blocks all signals for the calling thread except those of its own faults.
///
/// With `runs_user_code` SIGPIPE and SIGPROF stay unblocked as well, because children inherit the
/// mask and profilers use the signal. A blocked fault would end the process without a message from
/// its handler.
void csys_thread_set_mask(_Bool runs_user_code);

/// Names the calling thread; the kernel keeps the first 15 bytes.
void csys_thread_name(const char *name);

/// Returns a number that is unique among live threads, without a system call.
static inline uint64_t csys_thread_token(void) { return (uint64_t)(uintptr_t)__builtin_thread_pointer(); }

/// Returns the calling thread's priority, from 0 for the highest to 39 for the lowest.
csys_result csys_thread_place(void);

/// Sets the calling thread's priority; raising it needs a privilege.
csys_result csys_thread_set_place(int32_t place);

/// Lets the calling thread's transfers wait while other processes use the disk.
csys_result csys_thread_yield_disks(void);

/// Records that the calling thread changed its priority, which threads that it starts inherit.
void csys_thread_note_priority(void);

/// Returns whether the calling thread has recorded that.
int csys_thread_has_own_priority(void);

/// Returns the kernel's number of the calling thread.
int32_t csys_thread_number(void);

/// Returns whether the calling thread is the main thread.
_Bool csys_thread_is_main(void);

// The words below lie at a constant distance from the thread's pointer. A shared library would call a
// function for each access otherwise, several times for each item of a queue.
#define CSYSTEM_THREAD_WORD __thread __attribute__((tls_model("initial-exec")))

/// A thread-local word, initially null, in which a queue records the work that it runs.
extern CSYSTEM_THREAD_WORD const void *csys_queue_frame;

/// A thread-local word, initially null, in which a thread that makes plain calls records a place
/// for the next request.
extern CSYSTEM_THREAD_WORD void *csys_follow_up;

static inline void *csys_follow_up_get(void) { return csys_follow_up; }
static inline void csys_follow_up_set(void *place) { csys_follow_up = place; }

/// A thread-local word, initially null: the C function that the thread is in, with whose name the
/// message of a misuse begins.
extern CSYSTEM_THREAD_WORD const uint8_t *csys_call_name;

static inline void csys_call_name_set(const uint8_t *name) { csys_call_name = name; }

/// Returns a byte of the name, 0 after the last one and without a name.
static inline uint8_t csys_call_name_byte(int32_t index) {
  return csys_call_name == NULL ? 0 : csys_call_name[index];
}

static inline const void *csys_queue_frame_get(void) { return csys_queue_frame; }
static inline void csys_queue_frame_set(const void *frame) { csys_queue_frame = frame; }

/// Returns the state letter of one of this process's threads, 0 if it cannot be read.
char csys_thread_state(int32_t thread);

/// Hints to the processor that the caller spins.
static inline void csys_spin_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

/// Returns the number of processors that the calling thread may use, 0 if the kernel does not
/// report it.
int32_t csys_usable_processors(void);

/// Returns the memory of the machine in bytes, 0 if the C library does not report it.
int64_t csys_physical_memory(void);

/// Reads the start of a file in `/proc` or `/sys`, which returns small files in one piece.
csys_result csys_control_file(const char *path, void *bytes, size_t capacity);

#endif
