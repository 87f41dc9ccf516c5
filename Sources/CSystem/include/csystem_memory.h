// Memory straight from the kernel.

#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include "csystem_result.h"

#include <stddef.h>
#include <sys/mman.h>

/// Maps `size` bytes of zeroed memory; NULL when there is none.
static inline void *csys_allocate_pages(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static inline void csys_free_pages(void *memory, size_t size) { munmap(memory, size); }

#endif
