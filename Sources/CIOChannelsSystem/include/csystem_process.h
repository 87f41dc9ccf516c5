// What the process was started with, and what has become of it.

#ifndef CSYSTEM_PROCESS_H
#define CSYSTEM_PROCESS_H

#include <stdint.h>

#include "csystem_result.h"

/// How many words the command line has, the program's name among them.
int32_t csys_argument_count(void);

/// One word of the command line, NULL beyond the last one.
const char *csys_argument(int32_t index);

extern uint32_t csys_generation;

/// How many forks lie between the program's start and this process.
static inline uint32_t csys_process_generation(void) { return csys_generation; }

/// The permission bits that new files of the process do not get, asked by a thread that shares
/// neither them nor the working directory with the others; the error where there can be none.
csys_result csys_creation_mask(void);

/// Ends the process by the signal of a trap.
_Noreturn void csys_trap(void);

#endif
