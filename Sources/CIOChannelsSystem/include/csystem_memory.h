// Memory from the kernel.

#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include "csystem_result.h"

#include <stddef.h>

/// Maps `size` bytes of zeroed memory; returns NULL if there is none.
void *csys_allocate_pages(size_t size);

void csys_free_pages(void *memory, size_t size);

/// Maps a part of a file for reading; the value is the address. The offset is a multiple of the
/// page size.
csys_result csys_map_file(int fd, int64_t offset, size_t size);

/// Returns the page size, of which the offsets of mappings are multiples.
int64_t csys_page_size(void);

#endif
