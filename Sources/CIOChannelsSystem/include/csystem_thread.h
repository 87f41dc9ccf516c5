// Threads: starting, naming, parking, and what the kernel knows about them.

#ifndef CSYSTEM_THREAD_H
#define CSYSTEM_THREAD_H

#include "csystem_result.h"

#include <stddef.h>

/// Waits while `*word` is `expected`; a negative number of nanoseconds waits without limit.
csys_result csys_futex_wait(
    const uint32_t *word, uint32_t expected, int64_t nanoseconds);

/// Wakes at most `count` waiters and gives their number.
csys_result csys_futex_wake(const uint32_t *word, int count);

/// Starts a detached thread that begins with all signals blocked.
///
/// The body sets its own mask, whatever the mask of the thread that starts it. The error is `EAGAIN`
/// also where a limit leaves less than 256 MiB of memory.
csys_result csys_thread_start(void *(*body)(void *), void *context);

/// Blocks all signals for the calling thread but those that its own faults raise.
///
/// With `runs_user_code` SIGPIPE and SIGPROF stay unblocked as well, for children inherit the mask
/// and profilers count by signal. A blocked fault would end the process all the same, but without a
/// word from its handler.
void csys_thread_set_mask(_Bool runs_user_code);

/// Names the calling thread; the kernel keeps the first 15 bytes.
void csys_thread_name(const char *name);

/// A number that no other living thread has, without a system call.
static inline uint64_t csys_thread_token(void) { return (uint64_t)(uintptr_t)__builtin_thread_pointer(); }

/// The calling thread's place among others, from 0 for the first to 39 for the last.
csys_result csys_thread_place(void);

/// Moves the calling thread to a place; forward only with a privilege.
csys_result csys_thread_set_place(int32_t place);

/// Lets the calling thread's transfers wait until nobody else uses the disk.
csys_result csys_thread_yield_disks(void);

/// Notes that the calling thread stepped back, which whatever it starts inherits.
void csys_thread_note_lowered(void);

/// Whether the calling thread noted so.
int csys_thread_is_lowered(void);

/// The kernel's number of the calling thread.
int32_t csys_thread_number(void);

/// Whether the calling thread is the one that the process began with.
_Bool csys_thread_is_main(void);

/// The descriptor that is readable while Swift's main actor has work for the main thread, -1 when
/// this process has no such descriptor.
int32_t csys_main_actor_descriptor(void);

/// A word of each thread's own, null at first, in which a queue notes what the thread runs.
extern __thread const void *csys_queue_frame;

/// A word of each thread's own, null at first, in which a thread that makes plain calls notes where
/// the next one may be left.
extern __thread void *csys_follow_up;

static inline void *csys_follow_up_get(void) { return csys_follow_up; }
static inline void csys_follow_up_set(void *place) { csys_follow_up = place; }

static inline const void *csys_queue_frame_get(void) { return csys_queue_frame; }
static inline void csys_queue_frame_set(const void *frame) { csys_queue_frame = frame; }

/// The state letter of one of this process's threads, 0 when it cannot be read.
char csys_thread_state(int32_t thread);

/// Tells the processor that the caller is in a loop that waits.
static inline void csys_spin_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

/// The number of processors that the calling thread may run on, 0 when the kernel does not say.
int32_t csys_usable_processors(void);

/// The bytes of the machine's memory, 0 when the C library does not say.
int64_t csys_physical_memory(void);

/// Reads the start of a file of the kernel's, which gives small files in one piece.
csys_result csys_control_file(const char *path, void *bytes, size_t capacity);

#endif
