// Memory straight from the kernel.

#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include "csystem_result.h"

#include <stddef.h>

/// Maps `size` bytes of zeroed memory; NULL when there is none.
void *csys_allocate_pages(size_t size);

void csys_free_pages(void *memory, size_t size);

/// Zeroed memory of the C library's that starts a page; NULL when there is none.
void *csys_allocate_aligned(size_t size);

void csys_free_aligned(void *memory);

/// Maps a part of a file to be read; the value is the address, and the offset starts a page.
csys_result csys_map_file(int fd, int64_t offset, size_t size);

/// The size of the pages that offsets of mappings are multiples of.
int64_t csys_page_size(void);

#endif
