#include "csystem_answer.h"
#include "csystem_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

const int32_t csys_o_tmpfile = O_TMPFILE;

const int32_t csys_o_path = O_PATH;

const int32_t csys_o_nofollow = O_NOFOLLOW;

const int32_t csys_o_directory = O_DIRECTORY;

const int32_t csys_o_noatime = O_NOATIME;

const uint32_t csys_rename_noreplace = RENAME_NOREPLACE;

const uint32_t csys_rename_exchange = RENAME_EXCHANGE;

/// Converts a length or a number of blocks, of which some file systems report any 64 bits.
static int64_t csys_amount(uint64_t value) { return value > INT64_MAX ? INT64_MAX : value; }

static csys_status csys_status_answer(int answer, const struct stat *from) {
  if (answer < 0) return (csys_status){.error = errno};
  return (csys_status){
      .device = from->st_dev,
      .inode = from->st_ino,
      .mode = from->st_mode,
      .owner = from->st_uid,
      .group = from->st_gid,
      .block_size = (uint32_t)from->st_blksize,
      .links = from->st_nlink,
      .size = csys_amount((uint64_t)from->st_size),
      .blocks = csys_amount((uint64_t)from->st_blocks),
      .accessed = from->st_atim.tv_sec,
      .accessed_part = (uint32_t)from->st_atim.tv_nsec,
      .modified = from->st_mtim.tv_sec,
      .modified_part = (uint32_t)from->st_mtim.tv_nsec,
      .changed = from->st_ctim.tv_sec,
      .changed_part = (uint32_t)from->st_ctim.tv_nsec,
      .special_device = from->st_rdev,
  };
}

csys_status csys_fstat(int fd) {
  struct stat found;
  int answer = fstat(fd, &found);
  return csys_status_answer(answer, &found);
}

csys_status csys_fstatat(int directory, const char *name, int flags) {
  struct stat found;
  int answer = fstatat(directory, name, &found, flags);
  return csys_status_answer(answer, &found);
}

csys_result csys_file_mode(int fd) {
  struct statx found = {0};
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  // The functions of the C library may be replaced, as by fakeroot.
  long answer = syscall(SYS_statx, fd, "", flags, STATX_TYPE, &found);
  if (answer >= 0) return csys_answer(found.stx_mode);
  // The call may be missing, and sandboxes refuse it with any error.
  struct stat status;
  answer = syscall(SYS_fstat, fd, &status);
  return csys_answer(answer < 0 ? answer : status.st_mode);
}

csys_result csys_folds_case(int directory) {
  int flags = 0;
  long answer = ioctl(directory, FS_IOC_GETFLAGS, &flags);
  if (answer < 0 && (errno == ENOTTY || errno == EOPNOTSUPP)) return csys_answer(0);
  return csys_answer(answer < 0 ? answer : (flags & 0x40000000) != 0);  // FS_CASEFOLD_FL
}

/// Returns the mount of an open file as `/proc` reports it, or -1.
static int64_t csys_mount_in_proc(int fd) {
  char path[48], line[128];
  snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", fd);
  FILE *file = fopen(path, "re");
  if (file == NULL) return -1;
  long long number = -1;
  while (number < 0 && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "mnt_id: %lld", &number) != 1) number = -1;
  }
  fclose(file);
  return number;
}

/// Returns the mount that the kernel reports beside a handle of an open file, or -1.
static int64_t csys_mount_of_handle(int fd) {
  struct file_handle handle = {0};
  int number = -1;
  // There is no room for the handle (`EOVERFLOW`), but the mount is reported.
  long answer = name_to_handle_at(fd, "", &handle, &number, AT_EMPTY_PATH);
  return answer < 0 && errno != EOVERFLOW ? -1 : number;
}

/// Returns the mount of an open file, without `statx`.
static csys_result csys_mount_without_statx(int fd) {
  int64_t number = csys_mount_in_proc(fd);
  if (number < 0) number = csys_mount_of_handle(fd);
  if (number < 0) errno = ENOSYS;
  return csys_answer(number);
}

csys_result csys_mount(int directory, const char *name) {
  struct statx found = {0};
  int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  const unsigned int mount = 0x1000;  // STATX_MNT_ID (Linux 5.8)
  long answer = syscall(SYS_statx, directory, name, flags, mount, &found);
  if (answer >= 0 && (found.stx_mask & mount) != 0) {
    int64_t number = 0;
    // The headers of some C libraries lack the member `stx_mnt_id`.
    memcpy(&number, (const char *)&found + 144, sizeof number);
    return csys_answer(number);
  }
  // Sandboxes refuse the call with any error.
  if (*name == 0) return csys_mount_without_statx(directory);
  int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return csys_answer(fd);
  csys_result result = csys_mount_without_statx(fd);
  close(fd);
  return result;
}

csys_result csys_openat(int directory, const char *name, int flags, uint32_t mode) {
  // The function of the C library is a cancellation point, which costs two locked instructions.
  return csys_answer(syscall(SYS_openat, directory, name, flags, mode));
}

csys_result csys_open_cached(int directory, const char *name, int flags) {
  // The headers of some C libraries lack the structure and the call.
  struct {
    uint64_t flags, mode, resolve;
  } how = {.flags = (unsigned int)(flags | O_CLOEXEC), .resolve = 0x20};  // RESOLVE_CACHED
  // Not even a lease of another process is waited for.
  if ((flags & O_PATH) == 0) how.flags |= O_NONBLOCK;
  long fd = syscall(437, directory, name, &how, sizeof how);  // openat2
  if (fd < 0 || (flags & O_PATH) != 0) return csys_answer(fd);
  if (fcntl((int)fd, F_SETFL, flags & ~O_NONBLOCK) == 0) return csys_answer(fd);
  int error = errno;
  close((int)fd);
  errno = error;
  return csys_answer(-1);
}

static csys_status csys_statx_status(const struct statx *from) {
  csys_status status = {0};
  status.device = makedev(from->stx_dev_major, from->stx_dev_minor);
  status.inode = from->stx_ino;
  status.links = from->stx_nlink;
  status.special_device = makedev(from->stx_rdev_major, from->stx_rdev_minor);
  status.size = csys_amount(from->stx_size);
  status.blocks = csys_amount(from->stx_blocks);
  status.accessed = from->stx_atime.tv_sec;
  status.modified = from->stx_mtime.tv_sec;
  status.changed = from->stx_ctime.tv_sec;
  status.accessed_part = from->stx_atime.tv_nsec;
  status.modified_part = from->stx_mtime.tv_nsec;
  status.changed_part = from->stx_ctime.tv_nsec;
  status.mode = from->stx_mode;
  status.owner = from->stx_uid;
  status.group = from->stx_gid;
  status.block_size = from->stx_blksize;
  return status;
}

csys_status csys_cached_status(int fd, uint64_t *mount) {
  struct statx found = {0};
  const unsigned int unique = 0x4000;  // STATX_MNT_ID_UNIQUE
  int flags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  *mount = 0;
  if (syscall(SYS_statx, fd, "", flags, STATX_BASIC_STATS | unique, &found) < 0) {
    csys_status status = {.error = errno};
    return status;
  }
  // The headers of some C libraries lack the member `stx_mnt_id`.
  if ((found.stx_mask & unique) != 0) memcpy(mount, (const char *)&found + 144, sizeof *mount);
  return csys_statx_status(&found);
}

csys_result csys_mkdirat(int directory, const char *name, uint32_t mode) {
  return csys_answer(mkdirat(directory, name, mode));
}

csys_result csys_mknodat(
    int directory, const char *name, uint32_t mode, uint64_t device) {
  return csys_answer(mknodat(directory, name, mode, device));
}

csys_result csys_symlinkat(const char *target, int directory, const char *name) {
  return csys_answer(symlinkat(target, directory, name));
}

csys_result csys_readlinkat(
    int directory, const char *name, char *bytes, size_t count) {
  return csys_answer(readlinkat(directory, name, bytes, count));
}

csys_result csys_linkat(
    int old_directory, const char *old_name, int directory, const char *name, int flags) {
  return csys_answer(linkat(old_directory, old_name, directory, name, flags));
}

csys_result csys_link_descriptor(int fd, int directory, const char *name) {
  char path[48];
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
  return csys_answer(linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW));
}

csys_result csys_renameat2(
    int old_directory, const char *old_name, int directory, const char *name, uint32_t flags) {
  return csys_answer(renameat2(old_directory, old_name, directory, name, flags));
}

csys_result csys_unlinkat(int directory, const char *name, int flags) {
  return csys_answer(unlinkat(directory, name, flags));
}

csys_result csys_getdents(int fd, void *bytes, size_t count) {
  return csys_answer(getdents64(fd, bytes, count));
}

csys_result csys_handle_chown(int fd, uint32_t owner, uint32_t group) {
  return csys_answer(fchownat(fd, "", owner, group, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW));
}

csys_result csys_fchmod(int fd, uint32_t mode) {
  return csys_answer(fchmod(fd, mode));
}

csys_result csys_handle_chmod(int fd, uint32_t mode) {
  char path[48];
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
  // The function of the C library is first, because fakeroot replaces it.
  csys_result answer = csys_answer(fchmodat(AT_FDCWD, path, mode, 0));
  if (answer.error != ENOENT && answer.error != ENOTDIR) return answer;
  csys_result direct = csys_answer(syscall(452, fd, "", mode, AT_EMPTY_PATH));  // fchmodat2
  return direct.error == ENOSYS ? answer : direct;
}

csys_result csys_futimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part) {
  struct timespec times[2] = {
      {(time_t)accessed, (long)accessed_part}, {(time_t)modified, (long)modified_part}};
  return csys_answer(futimens(fd, times));
}

csys_result csys_handle_utimens(
    int fd, int64_t accessed, uint32_t accessed_part, int64_t modified, uint32_t modified_part) {
  struct timespec times[2] = {
      {(time_t)accessed, (long)accessed_part}, {(time_t)modified, (long)modified_part}};
  return csys_answer(utimensat(fd, "", times, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW));
}

csys_result csys_ftruncate(int fd, int64_t size) {
  return csys_answer(ftruncate(fd, size));
}

csys_result csys_fsync(int fd) { return csys_answer(fsync(fd)); }

csys_result csys_fdatasync(int fd) { return csys_answer(fdatasync(fd)); }

csys_result csys_syncfs(int fd) { return csys_answer(syncfs(fd)); }


csys_result csys_fadvise(int fd, int64_t offset, int64_t length, int advice) {
  int error = posix_fadvise(fd, offset, length, advice);
  return (csys_result){.value = 0, .error = error};
}

csys_result csys_write_back(int fd, int64_t offset, int64_t length, bool waits) {
  unsigned flags = SYNC_FILE_RANGE_WRITE;
  if (waits) flags |= SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
  return csys_answer(sync_file_range(fd, offset, length, flags));
}

csys_result csys_fallocate(int fd, int mode, int64_t offset, int64_t length) {
  return csys_answer(fallocate(fd, mode, offset, length));
}

csys_result csys_copy_file_range(
    int source, int64_t source_offset, int destination, int64_t destination_offset, size_t count) {
  return csys_answer(
      syscall(
          SYS_copy_file_range, source, &source_offset, destination, &destination_offset, count,
          0u));
}

csys_result csys_clone(int source, int destination) {
  return csys_answer(ioctl(destination, FICLONE, source));
}

csys_result csys_seek_data(int fd, int64_t offset) {
  return csys_answer(lseek(fd, offset, SEEK_DATA));
}

csys_result csys_seek_hole(int fd, int64_t offset) {
  return csys_answer(lseek(fd, offset, SEEK_HOLE));
}

csys_result csys_descriptor_limit(void) {
  return csys_answer(sysconf(_SC_OPEN_MAX));
}

void csys_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

uint32_t csys_effective_user(void) { return geteuid(); }

int csys_process(void) { return getpid(); }

csys_result csys_find_process(int process) { return csys_answer(kill(process, 0)); }
