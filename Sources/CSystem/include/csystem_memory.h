// Memory straight from the kernel.

#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include "csystem_result.h"

#include <stddef.h>

/// Maps `size` bytes of zeroed memory; NULL when there is none.
void *csys_allocate_pages(size_t size);

void csys_free_pages(void *memory, size_t size);

#endif
