// Interruption of a system call that another thread makes.

#ifndef CSYSTEM_INTERRUPTION_H
#define CSYSTEM_INTERRUPTION_H

#include "csystem_result.h"

/// Reserves a real-time signal that the program does not use, once for the process.
///
/// Its handler does nothing. Returns 0 where the program uses all of these signals.
int32_t csys_interruption_signal(void);

/// Returns the reserved signal, 0 if none is reserved.
int32_t csys_interruption_reserved(void);

/// Unblocks the signal for the calling thread. A pending signal arrives before this returns.
///
/// Returns whether the thread blocked it before.
_Bool csys_interruption_allow(void);

/// Blocks the signal for the calling thread.
void csys_interruption_forbid(void);

/// Sends the signal to a thread of this process.
csys_result csys_interruption_send(int32_t thread);

#endif
