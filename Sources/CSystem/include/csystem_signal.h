// The signals that end a program, the one that asks it how far it is, and that of broken pipes.

#ifndef CSYSTEM_SIGNAL_H
#define CSYSTEM_SIGNAL_H

#include "csystem_result.h"

extern const int32_t CSYS_SIGHUP, CSYS_SIGINT, CSYS_SIGUSR1, CSYS_SIGTERM;

/// Keeps those of the four signals that are not ignored from the calling thread and those that it starts.
csys_result csys_signals_block(void);

/// Lets them come again.
csys_result csys_signals_unblock(void);

/// A descriptor that tells of those that wait, but not of ignored ones.
csys_result csys_signals_open(void);

/// Takes the next signal and gives its number; waits for one.
csys_result csys_signals_read(int fd);

/// Waits until there is something to read, or for so long, for ever with -1: 1, or 0 in time.
csys_result csys_wait_readable(int fd, int milliseconds);

/// Sends a signal to the calling thread.
csys_result csys_raise(int signal);

/// What became of SIGPIPE on the calling thread.
typedef enum {
  /// It waits for the thread already, which blocks it.
  csys_pipe_signal_waits,
  /// The thread blocks it in any case.
  csys_pipe_signal_is_blocked,
  /// It was let in, and is blocked now.
  csys_pipe_signal_was_open,
} csys_pipe_signal;

/// Keeps SIGPIPE from the calling thread, and tells what has to be undone.
csys_pipe_signal csys_pipe_signal_hold(void);

/// Forgets what came of it since it was held, and lets it come again if it could before.
void csys_pipe_signal_drop(csys_pipe_signal held);

/// How many columns the terminal behind a descriptor has.
csys_result csys_terminal_columns(int fd);

#endif
