// Files by name and by descriptor: opening, looking, making, linking, metadata, copies in the kernel.

#ifndef CSYSTEM_FILE_H
#define CSYSTEM_FILE_H

#include "csystem_result.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift does not see macros that build on other macros; these are their values.
static const int32_t csys_o_tmpfile = O_TMPFILE;
static const int32_t csys_o_path = O_PATH;
static const int32_t csys_o_nofollow = O_NOFOLLOW;
static const int32_t csys_o_directory = O_DIRECTORY;
static const int32_t csys_o_noatime = O_NOATIME;
static const uint32_t csys_rename_noreplace = RENAME_NOREPLACE;
static const uint32_t csys_rename_exchange = RENAME_EXCHANGE;

/// What the kernel knows of a file, or the error number when `error` is not 0.
typedef struct {
  uint64_t device, inode, links, special_device;
  int64_t size, blocks;
  int64_t accessed, modified, changed;
  uint32_t accessed_part, modified_part, changed_part;
  uint32_t mode, owner, group;
  int32_t error;
} csys_status;

static inline csys_status csys_status_answer(int answer, const struct stat *from) {
  csys_status status = {0};
  if (answer < 0) {
    status.error = errno;
    return status;
  }
  status.device = from->st_dev;
  status.inode = from->st_ino;
  status.links = from->st_nlink;
  status.special_device = from->st_rdev;
  status.size = from->st_size;
  status.blocks = from->st_blocks;
  status.accessed = from->st_atim.tv_sec;
  status.modified = from->st_mtim.tv_sec;
  status.changed = from->st_ctim.tv_sec;
  status.accessed_part = (uint32_t)from->st_atim.tv_nsec;
  status.modified_part = (uint32_t)from->st_mtim.tv_nsec;
  status.changed_part = (uint32_t)from->st_ctim.tv_nsec;
  status.mode = from->st_mode;
  status.owner = from->st_uid;
  status.group = from->st_gid;
  return status;
}

static inline csys_status csys_fstat(int fd) {
  struct stat found;
  int answer = fstat(fd, &found);
  return csys_status_answer(answer, &found);
}

static inline csys_status csys_fstatat(int directory, const char *name, int flags) {
  struct stat found;
  int answer = fstatat(directory, name, &found, flags);
  return csys_status_answer(answer, &found);
}

static inline csys_result csys_openat(int directory, const char *name, int flags, uint32_t mode) {
  return csys_answer(openat(directory, name, flags, mode));
}

static inline csys_result csys_mkdirat(int directory, const char *name, uint32_t mode) {
  return csys_answer(mkdirat(directory, name, mode));
}

static inline csys_result csys_mknodat(
    int directory, const char *name, uint32_t mode, uint64_t device) {
  return csys_answer(mknodat(directory, name, mode, device));
}

static inline csys_result csys_symlinkat(const char *target, int directory, const char *name) {
  return csys_answer(symlinkat(target, directory, name));
}

static inline csys_result csys_readlinkat(
    int directory, const char *name, char *bytes, size_t count) {
  return csys_answer(readlinkat(directory, name, bytes, count));
}

static inline csys_result csys_linkat(
    int old_directory, const char *old_name, int directory, const char *name, int flags) {
  return csys_answer(linkat(old_directory, old_name, directory, name, flags));
}

/// Gives a name to the file of a descriptor through `/proc`, which needs no capability.
static inline csys_result csys_link_descriptor(int fd, int directory, const char *name) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return csys_answer(linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW));
}

static inline csys_result csys_renameat2(
    int old_directory, const char *old_name, int directory, const char *name, uint32_t flags) {
  return csys_answer(renameat2(old_directory, old_name, directory, name, flags));
}

static inline csys_result csys_unlinkat(int directory, const char *name, int flags) {
  return csys_answer(unlinkat(directory, name, flags));
}

static inline csys_result csys_getdents(int fd, void *bytes, size_t count) {
  return csys_answer(getdents64(fd, bytes, count));
}

static inline csys_result csys_fchown(int fd, uint32_t owner, uint32_t group) {
  return csys_answer(fchown(fd, owner, group));
}

/// Works on any descriptor, those of `O_PATH` and of symbolic links too.
static inline csys_result csys_handle_chown(int fd, uint32_t owner, uint32_t group) {
  return csys_answer(fchownat(fd, "", owner, group, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW));
}

static inline csys_result csys_fchmod(int fd, uint32_t mode) {
  return csys_answer(fchmod(fd, mode));
}

/// Works on descriptors of `O_PATH` too, except on a symbolic link's; needs `/proc`.
static inline csys_result csys_handle_chmod(int fd, uint32_t mode) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return csys_answer(fchmodat(AT_FDCWD, path, mode, 0));
}

/// Sets both times of a descriptor's file; a descriptor opened with `O_PATH` gives `EBADF`.
static inline csys_result csys_futimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part) {
  struct timespec times[2] = {
      {(time_t)accessed, (long)accessed_part}, {(time_t)modified, (long)modified_part}};
  return csys_answer(futimens(fd, times));
}

/// Works on any descriptor, those of `O_PATH` and of symbolic links too.
static inline csys_result csys_handle_utimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part) {
  struct timespec times[2] = {
      {(time_t)accessed, (long)accessed_part}, {(time_t)modified, (long)modified_part}};
  return csys_answer(utimensat(fd, "", times, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW));
}

static inline csys_result csys_ftruncate(int fd, int64_t size) {
  return csys_answer(ftruncate(fd, size));
}

/// Copies at explicit offsets by the raw call: some C libraries cut the answer to 32 bits.
static inline csys_result csys_copy_file_range(
    int source, int64_t source_offset, int destination, int64_t destination_offset, size_t count) {
  return csys_answer(
      syscall(
          SYS_copy_file_range, source, &source_offset, destination, &destination_offset, count,
          0u));
}

/// Makes the destination share the source's blocks.
static inline csys_result csys_clone(int source, int destination) {
  return csys_answer(ioctl(destination, FICLONE, source));
}

/// Where data starts at or behind `offset`.
static inline csys_result csys_seek_data(int fd, int64_t offset) {
  return csys_answer(lseek(fd, offset, SEEK_DATA));
}

/// Where a hole starts at or behind `offset`.
static inline csys_result csys_seek_hole(int fd, int64_t offset) {
  return csys_answer(lseek(fd, offset, SEEK_HOLE));
}

/// The soft limit of open descriptors.
static inline csys_result csys_descriptor_limit(void) {
  return csys_answer(sysconf(_SC_OPEN_MAX));
}

/// Lets a write to a closed pipe, or beyond the allowed file size, give an error and nothing else.
static inline void csys_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

static inline uint32_t csys_effective_user(void) { return geteuid(); }

#endif
