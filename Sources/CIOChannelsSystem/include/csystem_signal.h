// The signals that end a program, the one that requests its progress, and its terminal.

#ifndef CSYSTEM_SIGNAL_H
#define CSYSTEM_SIGNAL_H

#include "csystem_result.h"

extern const int32_t CSYS_SIGHUP, CSYS_SIGINT, CSYS_SIGPIPE, CSYS_SIGUSR1, CSYS_SIGTERM;

/// Blocks those of the four signals that are not ignored, for the calling thread and threads that
/// it starts.
csys_result csys_signals_block(void);

/// Unblocks the signals.
csys_result csys_signals_unblock(void);

/// Creates a descriptor for pending signals that are not ignored.
csys_result csys_signals_open(void);

/// Waits for the next signal, takes it and returns its number.
csys_result csys_signals_read(int fd);

/// Waits until the descriptor is readable (1) or the timeout is reached (0); -1 waits without a
/// timeout.
csys_result csys_wait_readable(int fd, int milliseconds);

/// Sends a signal to the calling thread.
csys_result csys_raise(int signal);

/// Returns 1 if this process ignores a signal, otherwise 0.
csys_result csys_ignores_signal(int signal);

/// Gives a signal its default action, unblocks it, and sends it to the calling thread.
csys_result csys_raise_by_default(int signal);

/// Returns the number of columns of the terminal behind a descriptor.
csys_result csys_terminal_columns(int fd);

/// Returns 1 if this process is in the foreground process group of the terminal behind a
/// descriptor, or if the terminal does not control this process; otherwise 0.
csys_result csys_is_in_foreground(int fd);

#endif
