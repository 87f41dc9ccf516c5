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

/// Whether a child has ended or was waited for; one that has ended stays with the next wait.
int ct_has_ended(int child);

/// Kills a child with its process group and waits for its end; does nothing if it was waited for.
void ct_kill_and_wait(int child);

#endif
