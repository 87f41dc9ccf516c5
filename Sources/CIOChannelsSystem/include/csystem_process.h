// The arguments of the process, its generation and its mask.

#ifndef CSYSTEM_PROCESS_H
#define CSYSTEM_PROCESS_H

#include <stdint.h>

#include "csystem_result.h"

/// Returns the number of words in the command line, including the program's name.
int32_t csys_argument_count(void);

/// Returns one word of the command line, NULL beyond the last one.
const char *csys_argument(int32_t index);

extern uint32_t csys_generation;

/// Returns the number of forks between the start of the program and this process.
static inline uint32_t csys_process_generation(void) { return csys_generation; }

/// Returns the umask, which a thread reads that shares neither the mask nor the working directory
/// with the others. Returns an error if no such thread can start.
csys_result csys_creation_mask(void);

/// Changes the umask of all threads, and returns the former one.
uint32_t csys_change_creation_mask(uint32_t mask);

/// Ends the process by a trap.
_Noreturn void csys_trap(void);

#endif
