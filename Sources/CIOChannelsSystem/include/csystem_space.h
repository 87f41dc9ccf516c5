// Free space and the physical layout of files.

#ifndef CSYSTEM_SPACE_H
#define CSYSTEM_SPACE_H

#include "csystem_result.h"

#include <stddef.h>

/// Returns the number of bytes that the process may still write to a descriptor's file system;
/// `EOPNOTSUPP` if the file system does not count.
csys_result csys_free_space(int fd);

/// Returns the number of bytes of a block device.
csys_result csys_device_size(int fd);

/// A part of a file and its address on the device, in bytes.
typedef struct {
  uint64_t logical, physical, length;
  uint32_t flags;
} csys_extent;

enum { CSYS_EXTENT_LIMIT = 64 };

/// Up to 64 parts of a file.
typedef struct {
  csys_extent extents[CSYS_EXTENT_LIMIT];
  uint32_t count;
  int32_t error;
} csys_extents;

extern const uint32_t csys_extent_last, csys_extent_shared, csys_extent_unplaced,
    csys_extent_unwritten;

/// Finds the parts of a file from an offset on, after its dirty data were written.
void csys_file_extents(int fd, uint64_t offset, csys_extents *extents);

/// Returns the extent at an index below the count.
csys_extent csys_extent_at(const csys_extents *extents, uint32_t index);

#endif
