#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "nodes.h"
#include "operations.h"
#include "rules.h"

static uint64_t told_size(uint64_t size) {
  switch (size_lie) {
  case TRUE_SIZES: return size;
  case LARGER_SIZES: return 2 * size + 4097;
  case SMALLER_SIZES: return size / 2;
  case ZERO_SIZES: return 0;
  case HUGE_NUMBERS: return INT64_MAX;
  }
  return size;
}

int describe(int handle, struct fuse_attr *out) {
  struct stat status;
  if (fstatat(handle, "", &status, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) < 0) return -errno;
  *out = (struct fuse_attr){
    .ino = status.st_ino,
    .size = S_ISREG(status.st_mode) ? told_size((uint64_t)status.st_size) : (uint64_t)status.st_size,
    .blocks = (uint64_t)status.st_blocks,
    .atime = (uint64_t)status.st_atim.tv_sec,
    .mtime = (uint64_t)status.st_mtim.tv_sec,
    .ctime = (uint64_t)status.st_ctim.tv_sec,
    .atimensec = (uint32_t)status.st_atim.tv_nsec,
    .mtimensec = (uint32_t)status.st_mtim.tv_nsec,
    .ctimensec = (uint32_t)status.st_ctim.tv_nsec,
    .mode = status.st_mode,
    .nlink = (uint32_t)status.st_nlink,
    .uid = status.st_uid,
    .gid = status.st_gid,
    // The protocol has the kernel's own form, in which the minor number surrounds the major one.
    .rdev = (uint32_t)((minor(status.st_rdev) & 0xff) | (major(status.st_rdev) << 8) |
                       ((minor(status.st_rdev) & ~0xffu) << 12)),
    .blksize = prefers_long ? maximum_transfer : (uint32_t)status.st_blksize,
  };
  if (size_lie == HUGE_NUMBERS) {
    out->blocks = UINT64_MAX;
    out->nlink = S_ISDIR(status.st_mode) ? UINT32_MAX : 0;
    if (S_ISLNK(status.st_mode)) out->size = INT64_MAX;
  }
  if (told_seconds != 0) {
    out->atime = out->mtime = out->ctime = (uint64_t)told_seconds;
    out->atimensec = out->mtimensec = out->ctimensec = UINT32_MAX;
  }
  return 0;
}

int look_up(struct question *question, int directory, const char *name) {
  int handle = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (handle < 0) return -errno;
  struct stat status;
  if (fstat(handle, &status) < 0) {
    int error = -errno;
    close(handle);
    return error;
  }
  struct fuse_entry_out *entry = question->answer;
  *entry = (struct fuse_entry_out){.entry_valid = valid_seconds, .attr_valid = valid_seconds};
  int error = describe(handle, &entry->attr);
  if (error < 0) {
    close(handle);
    return error;
  }
  entry->nodeid = remember(handle, status.st_dev, status.st_ino, name);
  if (entry->nodeid == 0) return -ENFILE;
  question->length = sizeof *entry;
  return 0;
}

/// Looks a name up for the kernel, which may take note that it is missing.
static int look_up_or_miss(struct question *question, int directory, const char *name) {
  int error = look_up(question, directory, name);
  if (error != -ENOENT || valid_seconds == 0) return error;
  struct fuse_entry_out *entry = question->answer;
  *entry = (struct fuse_entry_out){.entry_valid = valid_seconds};
  question->length = sizeof *entry;
  return 0;
}

/// Gives what was just made to the user who asked for it.
static void give(struct question *question, int directory, const char *name) {
  const struct fuse_in_header *header = question->header;
  if (header->uid == 0 && header->gid == 0) return;
  if (fchownat(directory, name, header->uid, header->gid, AT_SYMLINK_NOFOLLOW) < 0) {
    perror("faultfs: owner");
  }
}

static int made(struct question *question, int result, int directory, const char *name) {
  if (result < 0) return -errno;
  give(question, directory, name);
  return look_up(question, directory, name);
}

static int refusal(const char *operation, const char *name) {
  return -next_fault(operation, name, 0, 0).error;
}

static int create(struct question *question, int directory) {
  const struct fuse_create_in *in = question->argument;
  const char *name = (const char *)(in + 1);
  int error = refusal("create", name);
  if (error < 0) return error;
  int flags = (int)in->flags & ~(O_DIRECT | O_NOFOLLOW);
  int file = openat(directory, name, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, in->mode & 07777);
  if (file < 0) return -errno;
  error = made(question, 0, directory, name);
  if (error < 0) {
    close(file);
    return error;
  }
  struct fuse_open_out *open = (void *)((char *)question->answer + question->length);
  *open = (struct fuse_open_out){
    .fh = (uint64_t)file, .open_flags = open_flags,
  };
  question->length += sizeof *open;
  return 0;
}

static int rename_name(
    int directory, const char *names, uint64_t other, uint32_t flags) {
  const char *new_name = names + strlen(names) + 1;
  int error = refusal("rename", new_name);
  if (error < 0) return error;
  int target = node_handle(other);
  if (renameat2(directory, names, target, new_name, flags) < 0) return -errno;
  struct stat status;
  if (fstatat(target, new_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
    rename_node(status.st_dev, status.st_ino, new_name);
  }
  return 0;
}

static int link_name(struct question *question, int directory) {
  const struct fuse_link_in *in = question->argument;
  const char *name = (const char *)(in + 1);
  int error = refusal("link", name);
  if (error < 0) return error;
  char path[32];
  path_of(node_handle(in->oldnodeid), path);
  if (linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) < 0) return -errno;
  return look_up(question, directory, name);
}

int answer_name(struct question *question, int *is_known) {
  const struct fuse_in_header *header = question->header;
  const char *name = question->argument;
  int directory = node_handle(header->nodeid);
  int error;
  *is_known = 1;
  switch (header->opcode) {
  case FUSE_LOOKUP:
    error = refusal("lookup", name);
    return error < 0 ? error : look_up_or_miss(question, directory, name);
  case FUSE_CREATE: return create(question, directory);
  case FUSE_MKDIR: {
    const struct fuse_mkdir_in *in = question->argument;
    name = (const char *)(in + 1);
    error = refusal("mkdir", name);
    if (error < 0) return error;
    return made(question, mkdirat(directory, name, in->mode & 07777), directory, name);
  }
  case FUSE_MKNOD: {
    const struct fuse_mknod_in *in = question->argument;
    name = (const char *)(in + 1);
    error = refusal("mknod", name);
    if (error < 0) return error;
    unsigned low = (in->rdev & 0xff) | (in->rdev >> 12 & 0xfff00);
    dev_t device = makedev((in->rdev & 0xfff00) >> 8, low);
    return made(question, mknodat(directory, name, in->mode, device), directory, name);
  }
  case FUSE_SYMLINK:
    error = refusal("symlink", name);
    if (error < 0) return error;
    return made(question, symlinkat(name + strlen(name) + 1, directory, name), directory, name);
  case FUSE_LINK: return link_name(question, directory);
  case FUSE_UNLINK:
    error = refusal("unlink", name);
    if (error < 0) return error;
    return unlinkat(directory, name, 0) < 0 ? -errno : 0;
  case FUSE_RMDIR:
    error = refusal("rmdir", name);
    if (error < 0) return error;
    return unlinkat(directory, name, AT_REMOVEDIR) < 0 ? -errno : 0;
  case FUSE_RENAME: {
    const struct fuse_rename_in *in = question->argument;
    return rename_name(directory, (const char *)(in + 1), in->newdir, 0);
  }
  case FUSE_RENAME2: {
    const struct fuse_rename2_in *in = question->argument;
    return rename_name(directory, (const char *)(in + 1), in->newdir, in->flags);
  }
  default: *is_known = 0; return 0;
  }
}
