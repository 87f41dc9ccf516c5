// A file system that passes everything on to a directory, except what is to go wrong.
//
//   faultfs [OPTION,...] DIRECTORY MOUNTPOINT RULES
//
// RULES is a file, which may be replaced at any time; rules.c says what it holds. Options: `direct`
// leaves the page cache out, so that every read and write arrives; `keep` keeps pages of a file when
// it is opened once more; with `cached` the kernel keeps names, missing names and attributes for a
// second, as that of a network file system does, and with `stale` for an hour; with `streams` files
// cannot be sought; with `larger`, `smaller` or `zero` the length that a file is said to have is
// more or less than it has, or nothing; with `huge` it is the largest one, and so are other numbers;
// with `long` transfers of 1 MiB are preferred; with `early` or `late` all times are the first or the
// last one that there is. Needs root and /dev/fuse, and no library: it speaks the kernel's protocol
// itself.
// Returns once the file system is there; what serves it goes on in the background until it is
// unmounted.

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
uint64_t valid_seconds;
enum lie size_lie = TRUE_SIZES;
int64_t told_seconds;
int prefers_long;
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
                          FUSE_PARALLEL_DIROPS | FUSE_ASYNC_DIO | FUSE_ATOMIC_O_TRUNC),
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
  if (size_lie == HUGE_NUMBERS) out->st.blocks = out->st.bfree = out->st.bavail = UINT64_MAX;
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

/// Takes one option; 0 where there is no such option.
static int take_option(const char *option) {
  if (strcmp(option, "cached") == 0) {
    valid_seconds = 1;
    return 1;
  }
  if (strcmp(option, "long") == 0) {
    prefers_long = 1;
    return 1;
  }
  if (strcmp(option, "early") == 0 || strcmp(option, "late") == 0) {
    told_seconds = *option == 'e' ? INT64_MIN : INT64_MAX;
    return 1;
  }
  if (strcmp(option, "stale") == 0) {
    valid_seconds = 3600;
    return 1;
  }
  static const struct {
    const char *name;
    uint32_t flags;
    enum lie lie;
  } options[] = {
    {"direct", FOPEN_DIRECT_IO, TRUE_SIZES}, {"keep", FOPEN_KEEP_CACHE, TRUE_SIZES},
    {"streams", FOPEN_NONSEEKABLE, TRUE_SIZES}, {"larger", 0, LARGER_SIZES},
    {"smaller", 0, SMALLER_SIZES}, {"zero", 0, ZERO_SIZES}, {"huge", 0, HUGE_NUMBERS},
  };
  for (size_t index = 0; index < sizeof options / sizeof *options; index += 1) {
    if (strcmp(option, options[index].name) != 0) continue;
    open_flags |= options[index].flags;
    if (options[index].lie != TRUE_SIZES) size_lie = options[index].lie;
    return 1;
  }
  return 0;
}

int main(int count, char **arguments) {
  int first = count == 5 ? 2 : 1;
  int is_known = count - first == 3;
  if (is_known && first == 2) {
    for (char *option = strtok(arguments[1], ","); option != NULL; option = strtok(NULL, ",")) {
      is_known = is_known && take_option(option);
    }
  }
  if (!is_known) {
    fprintf(stderr, "usage: faultfs [OPTION,...] DIRECTORY MOUNTPOINT RULES\n");
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
