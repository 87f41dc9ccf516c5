// The signals that event sources watch: a count of each, and the dispositions of the process.
//
// A watched signal has a handler that counts it. A signal that all threads block stays pending, and
// a descriptor counts it. So each signal is counted once. The descriptor often takes a signal
// before a thread that does not block it, so it must not have signals that the program handles.

#ifndef CSYSTEM_SIGNAL_TABLE_H
#define CSYSTEM_SIGNAL_TABLE_H

#include "csystem_result.h"

/// The dispositions of a signal: the default action, ignored, a handler of the program, and a
/// handler that counts. The level of the latter is added to its number.
extern const int32_t CSYS_SIGNAL_DEFAULT, CSYS_SIGNAL_IGNORED, CSYS_SIGNAL_HANDLED,
    CSYS_SIGNAL_COUNTED;

/// The number of handlers that count. Each stands above a disposition of its own.
extern const int32_t CSYS_SIGNAL_LEVELS;

/// The signal whose former handler is not called, because Swift's own one ends the process with a
/// backtrace.
extern const int32_t CSYS_SIGNAL_UNCHAINED;

/// Returns whether a program can handle a signal, and it reports no fault of the program's code.
_Bool csys_signal_can_be_watched(int32_t signal);

/// Creates the descriptor that becomes readable when the handler counts a signal.
///
/// It is to be called once in a process, before the first installation. The descriptor stays open.
csys_result csys_signal_wakeup(void);

/// Makes that descriptor unreadable until the next signal, without blocking.
csys_result csys_signal_wakeup_take(int fd);

/// Reads the disposition of a signal and keeps it for the installation.
csys_result csys_signal_disposition(int32_t signal);

/// Begins or ends the counting of a signal.
///
/// Without it the installed handler acts as the disposition from before the installation. It does
/// so in a child of a fork as well.
void csys_signal_watch(int32_t signal, _Bool is_watched);

/// Installs the counting handler of a level above the disposition that was read last.
///
/// A handler of the program keeps its mask and is called after each count, except for
/// `CSYS_SIGNAL_UNCHAINED`. For `SIGCHLD` the flags about children keep their effect, and so does a
/// former `SIG_IGN`.
///
/// A handler of the program below a level may call the handlers of lower levels only. These neither
/// count a second time nor act by default.
csys_result csys_signal_install(int32_t signal, int32_t level);

/// Restores the disposition from before the installation of a level.
csys_result csys_signal_restore(int32_t signal, int32_t level);

/// Sends a signal to this process.
csys_result csys_signal_send(int32_t signal);

/// Returns the count of a signal and sets it to 0.
uint32_t csys_signal_take(int32_t signal);

/// Creates a descriptor of pending signals, or changes the signals of an open one.
///
/// Bit 0 of `signals` stands for signal 1. `fd` is -1 for a new descriptor.
csys_result csys_signal_descriptor(int fd, uint64_t signals);

/// Counts some pending signals and takes them; returns their number, or `EAGAIN` without any.
csys_result csys_signal_descriptor_count(int fd);

#endif
