// Makes a tree of files from a seed.
//
//   treemake [OPTION]... SEED FILES DIRECTORY
//
// The directory is made. Plain trees hold regular files in nested directories, most of them of a few
// KiB, with seeded bytes, modes and times.
//
//   --odd           hard and symbolic links, FIFOs, odd names and modes, for root other owners
//   --holes         one file in 20 is sparse
//   --large COUNT   so many files more, of 1 to 4 MiB
//   --size BYTES    all files have this length
//   --bits COUNT    lengths below 2 to this power, all their orders of magnitude alike
//   --spread COUNT  so many files for each directory
//   --deep PERCENT  so many directories hang on the one before them
//   --links PERCENT so many names are hard links, and as many symbolic ones
//
// The same arguments give the same tree.

#define _GNU_SOURCE 1

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t state;
static int odd, holes;
static uint64_t large, size_bits, deep, links;
static uint64_t spread = 12, fixed_size = UINT64_MAX;

static void stop(const char *what) {
  fprintf(stderr, "treemake: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t draw(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

/// A number from 0 to `bound` - 1.
static uint64_t below(uint64_t bound) { return draw() % bound; }

static struct timespec drawn_time(void) {
  return (struct timespec){.tv_sec = 1000000000 + (time_t)below(600000000),
                           .tv_nsec = (long)below(1000000000)};
}

/// Sets owner, mode and time, in the order that keeps each.
static void finish(const char *path, mode_t mode) {
  if (odd && geteuid() == 0 && below(4) == 0) {
    uid_t user = (uid_t)below(70000);
    gid_t group = (gid_t)below(70000);
    if (lchown(path, user, group) < 0) stop(path);
  }
  if (!S_ISLNK(mode) && chmod(path, mode & 07777) < 0) stop(path);
  struct timespec times[2] = {drawn_time(), drawn_time()};
  if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) < 0) stop(path);
}

static mode_t drawn_file_mode(void) {
  static const mode_t plain[] = {0644, 0755, 0600, 0664};
  static const mode_t strange[] = {0444, 0000, 04755, 02711, 01644, 0777, 0400, 06755};
  return odd && below(5) == 0 ? strange[below(8)] : plain[below(4)];
}

/// Most files are small: half below 2 KiB, a tenth above 32 KiB, one in 200 above 128 KiB.
static uint64_t drawn_size(void) {
  if (fixed_size != UINT64_MAX) return fixed_size;
  if (size_bits > 0) return below(UINT64_C(1) << (1 + below(size_bits)));
  uint64_t choice = below(200);
  if (choice < 4) return 0;
  if (choice < 100) return below(2048);
  if (choice < 180) return below(32768);
  if (choice < 199) return below(131072);
  return 131072 + below(700000);
}

static void write_seeded(int fd, uint64_t size, const char *path) {
  static uint64_t buffer[8192];
  while (size > 0) {
    size_t step = size < sizeof buffer ? (size_t)size : sizeof buffer;
    for (size_t word = 0; word < (step + 7) / 8; word += 1) buffer[word] = draw();
    if (write(fd, buffer, step) != (ssize_t)step) stop(path);
    size -= step;
  }
}

static void make_file(const char *path, uint64_t size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd < 0) stop(path);
  write_seeded(fd, size, path);
  if (close(fd) < 0) stop(path);
  finish(path, drawn_file_mode());
}

/// A file with data at both ends and in the middle, and holes between.
static void make_sparse(const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd < 0) stop(path);
  uint64_t gap = (1 + below(64)) << 16;
  for (int piece = 0; piece < 3; piece += 1) {
    write_seeded(fd, 1 + below(100000), path);
    if (lseek(fd, (off_t)gap, SEEK_CUR) < 0) stop(path);
  }
  off_t end = lseek(fd, 0, SEEK_CUR);
  if (end < 0 || ftruncate(fd, end) < 0 || close(fd) < 0) stop(path);
  finish(path, drawn_file_mode());
}

static void name_of(char *name, size_t capacity, uint64_t index) {
  static const char *const strange[] = {
    " leading blank", "-rf", "new\nline", "\xff\xfe not utf-8", "tab\tand 'quotes\"", "$(true)`x`",
    "back\\slash", "e\xcc\x81 and \xc3\xa9", "*?[a]", "\x1b[31m", "..hidden", "~",
  };
  if (odd && below(8) == 0) {
    snprintf(name, capacity, "%s %" PRIu64, strange[below(12)], index);
  } else {
    snprintf(name, capacity, "f%" PRIu64 ".dat", index);
  }
  if (odd && below(50) == 0) {
    size_t length = strlen(name);
    memset(name + length, 'n', 255 - length);
    name[255] = 0;
  }
}

/// Makes one file, link or FIFO; `earlier` is the file that was made last.
static void make_name(const char *path, const char *name, char **earlier) {
  uint64_t kind = odd ? below(40) : 40;
  uint64_t link_kind = links > 0 ? below(100) : 100;
  if ((kind < 3 || link_kind < links) && *earlier != NULL) {
    if (link(*earlier, path) < 0) stop(path);
  } else if (kind < 5 || (link_kind >= links && link_kind < 2 * links)) {
    if (symlink(kind == 3 ? "../nowhere" : name, path) < 0) stop(path);
    finish(path, S_IFLNK);
  } else if (kind == 5) {
    if (mkfifo(path, 0600) < 0) stop(path);
    finish(path, 0640);
  } else if (holes && below(20) == 0) {
    make_sparse(path);
  } else {
    make_file(path, drawn_size());
    free(*earlier);
    *earlier = strdup(path);
  }
}

/// Takes the options and returns the index behind them.
static int take_options(int count, char **arguments) {
  struct {
    const char *name;
    uint64_t *value;
  } options[] = {{"--large", &large},   {"--size", &fixed_size}, {"--bits", &size_bits},
                 {"--spread", &spread}, {"--deep", &deep},       {"--links", &links}};
  int index = 1;
  for (; index < count && strncmp(arguments[index], "--", 2) == 0; index += 1) {
    if (strcmp(arguments[index], "--odd") == 0) odd = 1;
    if (strcmp(arguments[index], "--holes") == 0) holes = 1;
    for (size_t number = 0; number < sizeof options / sizeof *options; number += 1) {
      if (strcmp(arguments[index], options[number].name) == 0 && index + 1 < count) {
        *options[number].value = strtoull(arguments[++index], NULL, 10);
        break;
      }
    }
  }
  return index;
}

/// Makes the directories. They hang on earlier ones, so depth grows with the logarithm of their
/// number, or in line with it where they hang on the one before.
static char **make_directories(uint64_t count) {
  char **paths = calloc(count, sizeof *paths);
  if (paths == NULL) stop("memory");
  paths[0] = strdup(".");
  for (uint64_t number = 1; number < count; number += 1) {
    uint64_t parent = deep > 0 && below(100) < deep ? number - 1 : below(number);
    // Names are passed to the kernel from the top, which takes 4096 bytes.
    if (strlen(paths[parent]) > 3000) parent = 0;
    if (asprintf(&paths[number], "%s/d%" PRIu64, paths[parent], number) < 0) stop("memory");
    if (mkdir(paths[number], 0700) < 0) stop(paths[number]);
  }
  return paths;
}

int main(int count, char **arguments) {
  int index = take_options(count, arguments);
  if (count - index != 3 || spread == 0 || size_bits > 30) {
    fprintf(stderr, "usage: treemake [OPTION]... SEED FILES DIRECTORY\n");
    return 2;
  }
  state = strtoull(arguments[index], NULL, 10);
  uint64_t files = strtoull(arguments[index + 1], NULL, 10);
  if (mkdir(arguments[index + 2], 0755) < 0 || chdir(arguments[index + 2]) < 0) {
    stop(arguments[index + 2]);
  }
  umask(0);

  uint64_t directories = files / spread + 1;
  char **paths = make_directories(directories);
  char name[512];
  char *path = NULL;
  char *earlier = NULL;
  for (uint64_t number = 0; number < files + large; number += 1) {
    name_of(name, sizeof name, number);
    if (asprintf(&path, "%s/%s", paths[below(directories)], name) < 0) stop("memory");
    if (number < files) {
      make_name(path, name, &earlier);
    } else {
      // The draw that the kind of a name takes.
      if (odd) draw();
      make_file(path, (1 << 20) + below(3 << 20));
    }
    free(path);
  }
  free(earlier);

  // Children first: a directory that is closed would close the way to them.
  for (uint64_t number = directories; number > 0; number -= 1) {
    static const mode_t strange[] = {0500, 02755, 01777, 0711};
    mode_t mode = odd && number > 1 && below(6) == 0 ? strange[below(4)] : 0755;
    finish(paths[number - 1], mode);
    free(paths[number - 1]);
  }
  free(paths);
  return 0;
}
