#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "nodes.h"
#include "operations.h"
#include "rules.h"

void path_of(int handle, char path[32]) { snprintf(path, 32, "/proc/self/fd/%d", handle); }

static int refusal(const struct question *question, const char *operation) {
  char name[256];
  node_name(question->header->nodeid, name);
  return -next_fault(operation, name, 0, 0).error;
}

/// The bit of an open file that may have bytes, which a write replaces.
static const uint64_t keeps_bytes = (uint64_t)1 << 32;

static int open_file(struct question *question, int handle, int is_directory) {
  const struct fuse_open_in *in = question->argument;
  int keeps = !is_directory && (in->flags & O_ACCMODE) != O_RDONLY && !(in->flags & O_TRUNC);
  int error = refusal(question, is_directory ? "opendir" : "open");
  if (error == 0 && keeps) error = refusal(question, "reopen");
  if (error < 0) return error;
  // A file that another client has removed while the kernel had its name.
  struct stat status;
  if (fstatat(handle, "", &status, AT_EMPTY_PATH) == 0 && status.st_nlink == 0) return -ENOENT;
  char path[32];
  path_of(handle, path);
  int flags = is_directory ? O_RDONLY | O_DIRECTORY : (int)in->flags & ~(O_DIRECT | O_NOFOLLOW);
  int file = open(path, flags | O_CLOEXEC);
  if (file < 0) return -errno;
  struct fuse_open_out *out = question->answer;
  *out = (struct fuse_open_out){
    .fh = (uint64_t)file | (keeps ? keeps_bytes : 0),
    .open_flags = is_directory ? 0 : open_flags,
  };
  question->length = sizeof *out;
  return 0;
}

static int read_file(struct question *question) {
  const struct fuse_read_in *in = question->argument;
  char name[256];
  node_name(question->header->nodeid, name);
  struct fault fault = next_fault("read", name, in->offset, in->size);
  if (fault.error != 0) return -fault.error;
  size_t size = in->size < fault.length ? in->size : fault.length;
  ssize_t count = pread((int)in->fh, question->answer, size, (off_t)in->offset);
  if (count < 0) return -errno;
  if (fault.flips && count > 0) ((char *)question->answer)[count / 2] ^= 4;
  question->length = (size_t)count;
  return 0;
}

static int write_file(struct question *question) {
  const struct fuse_write_in *in = question->argument;
  char name[256];
  node_name(question->header->nodeid, name);
  struct fault fault = next_fault("write", name, in->offset, in->size);
  if (fault.error == 0 && in->fh & keeps_bytes) fault.error = -refusal(question, "rewrite");
  if (fault.error != 0) return -fault.error;
  size_t size = in->size < fault.length ? in->size : fault.length;
  const char *bytes = (const char *)(in + 1);
  if (fault.flips && size > 0) ((char *)bytes)[size / 2] ^= 4;
  ssize_t count = pwrite((int)in->fh, bytes, size, (off_t)in->offset);
  if (count < 0) return -errno;
  if (fault.is_recorded) record("write", name, in->offset, bytes, (size_t)count);
  struct fuse_write_out *out = question->answer;
  *out = (struct fuse_write_out){.size = (uint32_t)count};
  question->length = sizeof *out;
  return 0;
}

static int flush_file(const struct question *question) {
  const struct fuse_fsync_in *in = question->argument;
  char name[256];
  node_name(question->header->nodeid, name);
  struct fault fault = next_fault("fsync", name, 0, 0);
  if (fault.error != 0) return -fault.error;
  if (fault.is_recorded) record("fsync", name, 0, NULL, 0);
  return fsync((int)in->fh) < 0 ? -errno : 0;
}

/// The entries of a directory as the kernel has them, in the form of the protocol.
static int read_directory(struct question *question) {
  struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
  };
  const struct fuse_read_in *in = question->argument;
  int error = refusal(question, "readdir");
  if (error < 0) return error;
  static _Thread_local char buffer[32768] __attribute__((aligned(8)));
  if (lseek((int)in->fh, (off_t)in->offset, SEEK_SET) < 0) return -errno;
  // What is left over of a reading is read again, from the place of the last entry that fitted.
  size_t wish = in->size < sizeof buffer ? in->size : sizeof buffer;
  long count = syscall(SYS_getdents64, (int)in->fh, buffer, wish);
  if (count < 0) return -errno;
  char *out = question->answer;
  for (long position = 0; position < count;) {
    const struct entry *entry = (const void *)(buffer + position);
    size_t length = strlen(entry->name);
    size_t space = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
    if (question->length + space > in->size) break;
    struct fuse_dirent *to = (void *)(out + question->length);
    memset(to, 0, space);
    *to = (struct fuse_dirent){
      .ino = entry->inode, .off = (uint64_t)entry->next, .namelen = (uint32_t)length,
      .type = entry->type,
    };
    memcpy(to->name, entry->name, length);
    question->length += space;
    position += entry->length;
  }
  return 0;
}

static int set_attributes(struct question *question, int handle) {
  const struct fuse_setattr_in *in = question->argument;
  char path[32];
  path_of(handle, path);
  int error;
  if (in->valid & FATTR_SIZE) {
    if ((error = refusal(question, "truncate")) < 0) return error;
    if (truncate(path, (off_t)in->size) < 0) return -errno;
  }
  if (in->valid & (FATTR_UID | FATTR_GID)) {
    if ((error = refusal(question, "chown")) < 0) return error;
    uid_t user = in->valid & FATTR_UID ? in->uid : (uid_t)-1;
    gid_t group = in->valid & FATTR_GID ? in->gid : (gid_t)-1;
    if (fchownat(handle, "", user, group, AT_EMPTY_PATH) < 0) return -errno;
  }
  if (in->valid & FATTR_MODE) {
    if ((error = refusal(question, "chmod")) < 0) return error;
    if (chmod(path, in->mode & 07777) < 0) return -errno;
  }
  if (in->valid & (FATTR_ATIME | FATTR_MTIME)) {
    if ((error = refusal(question, "utimens")) < 0) return error;
    struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
    if (in->valid & FATTR_ATIME) times[0] = (struct timespec){(time_t)in->atime, in->atimensec};
    if (in->valid & FATTR_MTIME) times[1] = (struct timespec){(time_t)in->mtime, in->mtimensec};
    if (in->valid & FATTR_ATIME_NOW) times[0].tv_nsec = UTIME_NOW;
    if (in->valid & FATTR_MTIME_NOW) times[1].tv_nsec = UTIME_NOW;
    if (utimensat(handle, "", times, AT_EMPTY_PATH) < 0) return -errno;
  }
  struct fuse_attr_out *out = question->answer;
  *out = (struct fuse_attr_out){.attr_valid = valid_seconds};
  question->length = sizeof *out;
  return describe(handle, &out->attr);
}

static int get_attributes(struct question *question, int handle) {
  int error = refusal(question, "getattr");
  if (error < 0) return error;
  struct fuse_attr_out *out = question->answer;
  *out = (struct fuse_attr_out){.attr_valid = valid_seconds};
  question->length = sizeof *out;
  return describe(handle, &out->attr);
}

static int list_or_get(struct question *question, int handle, int lists) {
  const struct fuse_getxattr_in *in = question->argument;
  int error = refusal(question, lists ? "listxattr" : "getxattr");
  if (error < 0) return error;
  char path[32];
  path_of(handle, path);
  size_t room = in->size < maximum_transfer ? in->size : maximum_transfer;
  ssize_t count = lists ? listxattr(path, question->answer, room)
                        : getxattr(path, (const char *)(in + 1), question->answer, room);
  if (count < 0) return -errno;
  if (in->size == 0) {
    struct fuse_getxattr_out *out = question->answer;
    *out = (struct fuse_getxattr_out){.size = (uint32_t)count};
    question->length = sizeof *out;
  } else {
    question->length = (size_t)count;
  }
  return 0;
}

static int set_attribute(struct question *question, int handle) {
  const struct fuse_setxattr_in *in = question->argument;
  int error = refusal(question, "setxattr");
  if (error < 0) return error;
  char path[32];
  path_of(handle, path);
  // Without an agreed extension the last two fields are not sent.
  const char *name = (const char *)in + FUSE_COMPAT_SETXATTR_IN_SIZE;
  const char *value = name + strlen(name) + 1;
  return setxattr(path, name, value, in->size, (int)in->flags) < 0 ? -errno : 0;
}

static int seek(struct question *question) {
  const struct fuse_lseek_in *in = question->argument;
  int error = refusal(question, "lseek");
  if (error < 0) return error;
  off_t offset = lseek((int)in->fh, (off_t)in->offset, (int)in->whence);
  if (offset < 0) return -errno;
  struct fuse_lseek_out *out = question->answer;
  *out = (struct fuse_lseek_out){.offset = (uint64_t)offset};
  question->length = sizeof *out;
  return 0;
}

static int close_file(const struct question *question) {
  const struct fuse_release_in *in = question->argument;
  close((int)in->fh);
  return 0;
}

int answer_file(struct question *question, int *is_known) {
  const struct fuse_in_header *header = question->header;
  int handle = node_handle(header->nodeid);
  char path[32];
  int error;
  path_of(handle, path);
  *is_known = 1;
  switch (header->opcode) {
  case FUSE_GETATTR: return get_attributes(question, handle);
  case FUSE_SETATTR: return set_attributes(question, handle);
  case FUSE_OPEN: return open_file(question, handle, 0);
  case FUSE_OPENDIR: return open_file(question, handle, 1);
  case FUSE_READ: return read_file(question);
  case FUSE_WRITE: return write_file(question);
  case FUSE_READDIR: return read_directory(question);
  case FUSE_RELEASE:
  case FUSE_RELEASEDIR: return close_file(question);
  case FUSE_FLUSH: return refusal(question, "flush");
  case FUSE_LSEEK: return seek(question);
  case FUSE_GETXATTR: return list_or_get(question, handle, 0);
  case FUSE_LISTXATTR: return list_or_get(question, handle, 1);
  case FUSE_SETXATTR: return set_attribute(question, handle);
  case FUSE_REMOVEXATTR:
    error = refusal(question, "removexattr");
    if (error < 0) return error;
    return removexattr(path, question->argument) < 0 ? -errno : 0;
  case FUSE_READLINK: {
    error = refusal(question, "readlink");
    if (error < 0) return error;
    ssize_t count = readlinkat(handle, "", question->answer, 4096);
    if (count < 0) return -errno;
    question->length = (size_t)count;
    return 0;
  }
  case FUSE_FSYNC:
  case FUSE_FSYNCDIR: return flush_file(question);
  default: *is_known = 0; return 0;
  }
}
