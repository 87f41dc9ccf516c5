// What the bare programs have in common.

#pragma once
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// Seconds by a clock.
double now(clockid_t clock);

// A random number, always the same one for an index.
uint64_t mixed(uint64_t index);

// Memory that is there, or the end of the program.
void *memory(size_t size);
