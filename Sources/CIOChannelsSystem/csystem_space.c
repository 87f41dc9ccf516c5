#include "csystem_answer.h"
#include "csystem_space.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>

const uint32_t csys_extent_last = FIEMAP_EXTENT_LAST,
               csys_extent_shared = FIEMAP_EXTENT_SHARED,
               csys_extent_unplaced = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
                                      FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL,
               csys_extent_unwritten = FIEMAP_EXTENT_UNWRITTEN;

csys_result csys_free_space(int fd) {
  struct statvfs space;
  if (fstatvfs(fd, &space) < 0) return csys_answer(-1);
  // Some in-memory file systems do not count their blocks.
  if (space.f_blocks == 0) {
    csys_result unknown = {-1, EOPNOTSUPP};
    return unknown;
  }
  // A file system of a program or of a server reports any numbers.
  uint64_t size;
  bool overflows = __builtin_mul_overflow((uint64_t)space.f_bavail, (uint64_t)space.f_frsize, &size);
  csys_result result = {overflows || size > INT64_MAX ? INT64_MAX : (int64_t)size, 0};
  return result;
}

csys_result csys_device_size(int fd) {
  uint64_t size = 0;
  if (ioctl(fd, BLKGETSIZE64, &size) < 0) return csys_answer(-1);
  csys_result result = {size > INT64_MAX ? INT64_MAX : (int64_t)size, 0};
  return result;
}

void csys_file_extents(int fd, uint64_t offset, csys_extents *extents) {
  _Alignas(struct fiemap) char memory
      [sizeof(struct fiemap) + CSYS_EXTENT_LIMIT * sizeof(struct fiemap_extent)];
  memset(memory, 0, sizeof memory);
  struct fiemap *map = (struct fiemap *)memory;
  map->fm_start = offset;
  map->fm_length = FIEMAP_MAX_OFFSET - offset;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = CSYS_EXTENT_LIMIT;
  memset(extents, 0, sizeof *extents);
  if (ioctl(fd, FS_IOC_FIEMAP, map) < 0) {
    extents->error = errno;
    return;
  }
  extents->count = map->fm_mapped_extents;
  for (uint32_t index = 0; index < extents->count; index += 1) {
    struct fiemap_extent found = map->fm_extents[index];
    csys_extent extent = {
        found.fe_logical, found.fe_physical, found.fe_length, found.fe_flags};
    extents->extents[index] = extent;
  }
}

csys_extent csys_extent_at(const csys_extents *extents, uint32_t index) {
  return extents->extents[index];
}
