// A file system that passes everything on to a directory, except what is to go wrong.
//
//   faultfs [direct | streams] DIRECTORY MOUNTPOINT RULES
//
// RULES is a file, which may be replaced at any time; rules.c says what it holds. With `direct` the
// page cache is left out, so that every read and write arrives; with `streams` files cannot be
// sought. Needs root and /dev/fuse, and no library: it speaks the kernel's protocol itself. Returns
// once the file system is there; what serves it goes on in the background until it is unmounted.

#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include "nodes.h"
#include "operations.h"
#include "rules.h"

enum { thread_count = 16, background_requests = 12 };

uint32_t open_flags;
static int device;

static void stop(const char *what) {
  fprintf(stderr, "faultfs: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int begin(struct question *question) {
  const struct fuse_init_in *in = question->argument;
  struct fuse_init_out *out = question->answer;
  *out = (struct fuse_init_out){
    .major = FUSE_KERNEL_VERSION,
    .minor = FUSE_KERNEL_MINOR_VERSION,
    .max_readahead = in->max_readahead,
    .flags = in->flags & (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_MAX_PAGES |
                          FUSE_PARALLEL_DIROPS | FUSE_ASYNC_DIO),
    .max_background = background_requests,
    .congestion_threshold = background_requests,
    .max_write = maximum_transfer,
    .max_pages = maximum_transfer / 4096,
    .time_gran = 1,
  };
  question->length = sizeof *out;
  return 0;
}

static int describe_space(struct question *question) {
  struct statfs space;
  char path[32];
  path_of(node_handle(ROOT_NODE), path);
  if (statfs(path, &space) < 0) return -errno;
  struct fuse_statfs_out *out = question->answer;
  *out = (struct fuse_statfs_out){
    .st = {
      .blocks = space.f_blocks, .bfree = space.f_bfree, .bavail = space.f_bavail,
      .files = space.f_files, .ffree = space.f_ffree, .bsize = (uint32_t)space.f_bsize,
      .namelen = (uint32_t)space.f_namelen, .frsize = (uint32_t)space.f_frsize,
    },
  };
  question->length = sizeof *out;
  return 0;
}

int answer(struct question *question) {
  int is_known;
  int result = answer_name(question, &is_known);
  if (is_known) return result;
  result = answer_file(question, &is_known);
  if (is_known) return result;
  switch (question->header->opcode) {
  case FUSE_INIT: return begin(question);
  case FUSE_STATFS: return describe_space(question);
  case FUSE_DESTROY: return 0;
  default: return -ENOSYS;
  }
}

/// Takes note of what needs no answer.
static int is_unanswered(const struct question *question) {
  switch (question->header->opcode) {
  case FUSE_INTERRUPT: return 1;
  case FUSE_FORGET: {
    const struct fuse_forget_in *in = question->argument;
    forget(question->header->nodeid, in->nlookup);
    return 1;
  }
  case FUSE_BATCH_FORGET: {
    const struct fuse_batch_forget_in *in = question->argument;
    const struct fuse_forget_one *one = (const void *)(in + 1);
    for (uint32_t index = 0; index < in->count; index += 1) {
      forget(one[index].nodeid, one[index].nlookup);
    }
    return 1;
  }
  default: return 0;
  }
}

static void *serve(void *unused) {
  (void)unused;
  char *in = malloc(maximum_question);
  char *out = malloc(maximum_question);
  if (in == NULL || out == NULL) stop("memory");
  for (;;) {
    ssize_t count = read(device, in, maximum_question);
    if (count < 0) {
      if (errno == ENODEV) exit(0);
      if (errno == EINTR || errno == ENOENT || errno == EAGAIN) continue;
      stop("read");
    }
    const struct fuse_in_header *header = (const void *)in;
    struct question question = {
      .header = header,
      .argument = in + sizeof *header,
      .argument_length = (size_t)count - sizeof *header,
      .answer = out,
    };
    if (is_unanswered(&question)) continue;
    int error = answer(&question);
    struct fuse_out_header reply = {.error = error, .unique = header->unique};
    struct iovec parts[2] = {
      {&reply, sizeof reply}, {out, error < 0 ? 0 : question.length},
    };
    reply.len = (uint32_t)(sizeof reply + parts[1].iov_len);
    // A question whose asker is gone is not found any more.
    if (writev(device, parts, 2) < 0 && errno != ENOENT && errno != ENODEV) stop("answer");
  }
}

int main(int count, char **arguments) {
  int first = 1;
  if (count > 1 && strcmp(arguments[1], "direct") == 0) {
    open_flags = FOPEN_DIRECT_IO;
    first = 2;
  } else if (count > 1 && strcmp(arguments[1], "streams") == 0) {
    open_flags = FOPEN_NONSEEKABLE;
    first = 2;
  }
  if (count - first != 3) {
    fprintf(stderr, "usage: faultfs [direct | streams] DIRECTORY MOUNTPOINT RULES\n");
    return 2;
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) stop("descriptors");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) stop("descriptors");
  umask(0);
  if (open_root(arguments[first]) < 0) stop(arguments[first]);
  set_rules(arguments[first + 2]);
  device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) stop("/dev/fuse");
  char options[128];
  snprintf(options, sizeof options,
      "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions", device);
  if (mount("faultfs", arguments[first + 1], "fuse.faultfs", MS_NOSUID | MS_NODEV, options) < 0) {
    stop("mount");
  }
  if (daemon(0, 0) < 0) stop("background");
  for (int index = 1; index < thread_count; index += 1) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) stop("thread");
  }
  serve(NULL);
}
