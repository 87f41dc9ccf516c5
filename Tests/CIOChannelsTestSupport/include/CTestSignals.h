// Signals of the process, for programs that test signal sources.
//
// Functions that return an int return 0, or the negative error number, unless they say otherwise.

#ifndef CTESTSIGNALS_H
#define CTESTSIGNALS_H

#include <stdint.h>

/// Sends a signal to this process so many times.
int ct_send(int signal, int count);

/// Queues a signal with a value to this process so many times; waits while the queue is full.
int ct_queue(int signal, int count, int value);

/// Sends a signal to a thread of this process.
int ct_send_to_thread(int signal, int thread);

/// What happens when a signal arrives.
enum { CT_DEFAULT, CT_IGNORED, CT_PLAIN, CT_INFORMED, CT_CHAINED, CT_OTHER };

/// Adds `SA_NOCLDWAIT` to the disposition of `SIGCHLD`; an error number below 0 on failure.
int ct_leave_no_zombies(void);

/// Changes what happens when a signal arrives.
///
/// The handlers count their calls. The informed one keeps the value of the last signal, and blocks
/// `SIGUSR2` while it runs. The chained one calls the handler that it has replaced. With `restarts`
/// interrupted calls of the kernel start again; with `stops_are_silent` only the end of a child
/// raises `SIGCHLD`.
int ct_set_disposition(int signal, int disposition, int restarts, int stops_are_silent);

/// Ignores a signal, and restores what happened before.
int ct_set_aside(int signal);
int ct_set_back(int signal);

/// Calls the handler that was set aside, as a thread does that took the signal before.
void ct_call_set_aside(int signal);

/// What happens when a signal arrives, `CT_OTHER` for a handler that is none of these.
int ct_disposition(int signal);

/// Whether a signal's handler has a flag: 1 or 0.
int ct_restarts(int signal);
int ct_stops_are_silent(int signal);

/// The number of calls of the handlers.
int ct_handler_calls(void);

/// The value of the signal for which the informed handler was called last.
int ct_last_value(void);

/// Whether the informed handler found `SIGUSR2` blocked: 1 or 0.
int ct_other_was_blocked(void);

/// Blocks a signal for the calling thread, or unblocks it.
int ct_block(int signal, int is_blocked);

/// Starts children that end at once, waits for them and returns the number of those that left a
/// zombie.
int ct_zombies(int children);

/// Starts a child that stops, and kills it.
int ct_stop_child(void);

/// Waits for a child of a fork; returns its status, or the negative number of the signal that ended
/// it.
int ct_end_of_child(int child);

/// Ends this process without running anything.
void ct_leave(int status);

/// Limits how many signals may be queued.
int ct_limit_signals(int count);

/// The signals that the thread `sources` blocks, bit 0 for signal 1; 0 without the thread.
uint64_t ct_blocked_by_sources(void);

#endif
