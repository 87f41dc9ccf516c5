// Files by name and by descriptor: opening, metadata, creation, links, and copies in the kernel.

#ifndef CSYSTEM_FILE_H
#define CSYSTEM_FILE_H

#include "csystem_result.h"

#include <stdbool.h>
#include <stddef.h>

// Swift does not import macros that use other macros. These constants have their values.
extern const int32_t csys_o_tmpfile;
extern const int32_t csys_o_path;
extern const int32_t csys_o_nofollow;
extern const int32_t csys_o_directory;
extern const int32_t csys_o_noatime;
extern const uint32_t csys_rename_noreplace;
extern const uint32_t csys_rename_exchange;

/// The metadata of a file, or the error number if `error` is not 0.
///
/// The members have the order of those of `FileStatus`, so that a conversion copies the memory.
typedef struct {
  uint64_t device, inode;
  uint32_t mode, owner, group, block_size;
  uint64_t links;
  int64_t size, blocks;
  int64_t accessed;
  uint32_t accessed_part;
  int64_t modified;
  uint32_t modified_part;
  int64_t changed;
  uint32_t changed_part;
  uint64_t special_device;
  int32_t error;
} csys_status;

csys_status csys_fstat(int fd);

/// Returns the mode of an open file without a request to the server of its file system; only the
/// type bits are up to date. They are those of the kernel, also below fakeroot.
csys_result csys_file_mode(int fd);

/// Returns 1 if an open directory has the attribute that makes its names equal without case, and 0
/// if it lacks the attribute or its file system has none.
csys_result csys_folds_case(int directory);

/// Returns the number of the mount that a name belongs to, or an open file if the name is empty.
csys_result csys_mount(int directory, const char *name);

csys_status csys_fstatat(int directory, const char *name, int flags);

csys_result csys_openat(int directory, const char *name, int flags, uint32_t mode);

/// Opens a name for reading, if its path is in the kernel's cache of names; else EAGAIN (Linux 5.12).
///
/// No FIFO, device or lease is waited for, but a server may be. The file has no `O_NONBLOCK`.
csys_result csys_open_cached(int directory, const char *name, int flags);

/// Returns the status of an open file that the kernel has in memory, and the number of its mount,
/// which no other mount ever gets; 0 before Linux 6.8.
csys_status csys_cached_status(int fd, uint64_t *mount);

csys_result csys_mkdirat(int directory, const char *name, uint32_t mode);

csys_result csys_mknodat(
    int directory, const char *name, uint32_t mode, uint64_t device);

csys_result csys_symlinkat(const char *target, int directory, const char *name);

csys_result csys_readlinkat(
    int directory, const char *name, char *bytes, size_t count);

csys_result csys_linkat(
    int old_directory, const char *old_name, int directory, const char *name, int flags);

/// Links the file of a descriptor to a name through `/proc`, which needs no capability.
csys_result csys_link_descriptor(int fd, int directory, const char *name);

csys_result csys_renameat2(
    int old_directory, const char *old_name, int directory, const char *name, uint32_t flags);

csys_result csys_unlinkat(int directory, const char *name, int flags);

csys_result csys_getdents(int fd, void *bytes, size_t count);

/// Works on any descriptor, including handles (`O_PATH`) and handles of symbolic links.
csys_result csys_handle_chown(int fd, uint32_t owner, uint32_t group);

csys_result csys_fchmod(int fd, uint32_t mode);

/// Works on handles (`O_PATH`) too, except of symbolic links; needs `/proc` or Linux 6.6.
csys_result csys_handle_chmod(int fd, uint32_t mode);

/// Sets both times of a descriptor's file; a handle (`O_PATH`) gives `EBADF`.
csys_result csys_futimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part);

/// Works on any descriptor, including handles (`O_PATH`) and handles of symbolic links.
csys_result csys_handle_utimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part);

csys_result csys_ftruncate(int fd, int64_t size);

csys_result csys_fsync(int fd);

csys_result csys_fdatasync(int fd);

/// Flushes the file system of a file, which must not be a handle (`O_PATH`).
csys_result csys_syncfs(int fd);

/// `advice` is `POSIX_FADV_…`, which have the same numbers everywhere except on s390.
csys_result csys_fadvise(int fd, int64_t offset, int64_t length, int advice);

/// Starts writeback of the changed pages in a range, and optionally waits for its end.
csys_result csys_write_back(int fd, int64_t offset, int64_t length, bool waits);

csys_result csys_fallocate(int fd, int mode, int64_t offset, int64_t length);

/// Copies at explicit offsets by the raw call, because some C libraries truncate the result to 32
/// bits.
csys_result csys_copy_file_range(
    int source, int64_t source_offset, int destination, int64_t destination_offset, size_t count);

/// Makes the destination share the source's blocks.
csys_result csys_clone(int source, int destination);

/// Returns the offset of the first data at or behind `offset`.
csys_result csys_seek_data(int fd, int64_t offset);

/// Returns the offset of the first hole at or behind `offset`.
csys_result csys_seek_hole(int fd, int64_t offset);

/// Returns the soft limit of open descriptors.
csys_result csys_descriptor_limit(void);

/// Ignores SIGPIPE and SIGXFSZ, so that writes report an error only.
void csys_ignore_write_signals(void);

uint32_t csys_effective_user(void);

/// Returns the number of this process in its own namespace.
int csys_process(void);

/// Returns `ESRCH` if no process has the number in this process's namespace.
csys_result csys_find_process(int process);

#endif
