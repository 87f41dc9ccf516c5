// The signals that end a program, and the one that asks it how far it is.

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

/// How many columns the terminal behind a descriptor has.
csys_result csys_terminal_columns(int fd);

#endif
