// Calls about processes, for tests and for the programs that they start.

#ifndef CTESTSUPPORT_PROCESSES_H
#define CTESTSUPPORT_PROCESSES_H

/// Ignores a signal in this process.
void ct_ignore_signal(int signal);

/// Ends the calling thread, even the first one, while others continue.
_Noreturn void ct_end_thread(void);

/// Whether the kernel keeps the status of a child that was waited for: 0 or the negative error
/// number.
int ct_probe_kept_status(void);

/// Asks the kernel's connector for the events of processes: 0 or the negative error number.
int ct_probe_connector(void);

#endif
