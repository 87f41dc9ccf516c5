// Lists a tree, one line an entry, so that two trees can be compared without the code under test.
//
//   treelist [--xattrs] [--no-content] DIRECTORY
//
// Fields, separated by tabs: path, kind, mode, user, group, size, time of change of the data in
// seconds.nanoseconds, group of hard links (the first path of the group, or -), allocated
// KiB, sum of the content, target of a symbolic link or device number, extended attributes.
// Bytes that are not printable ASCII, blanks and backslashes stand as \xNN. Names are in byte
// order. Every directory is opened relative to its parent, so paths may be longer than PATH_MAX.

#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static int with_attributes;
static int without_content;

/// First names of the files that have several.
static struct link {
  dev_t device;
  ino_t inode;
  char *path;
} *links;
static size_t link_count;

static void stop(const char *what) {
  fprintf(stderr, "treelist: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void *checked(void *memory) {
  if (memory == NULL) stop("memory");
  return memory;
}

static void print_bytes(const char *bytes, size_t count) {
  for (size_t index = 0; index < count; index += 1) {
    unsigned char byte = (unsigned char)bytes[index];
    if (byte <= 0x20 || byte >= 0x7f || byte == '\\') {
      printf("\\x%02X", byte);
    } else {
      putchar(byte);
    }
  }
}

static const char *first_name(const struct stat *status, const char *path) {
  for (size_t index = 0; index < link_count; index += 1) {
    if (links[index].device == status->st_dev && links[index].inode == status->st_ino) {
      return links[index].path;
    }
  }
  links = checked(realloc(links, (link_count + 1) * sizeof *links));
  links[link_count] =
      (struct link){status->st_dev, status->st_ino, checked(strdup(path))};
  return links[link_count++].path;
}

static uint64_t mix(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0x9fb21c651e98df25u;
  return state ^ (state >> 29);
}

/// A sum that differs for different bytes, order or length; not against an adversary.
static void print_content(int parent, const char *name) {
  static uint64_t buffer[32768];
  int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    printf("unreadable:%d", errno);
    return;
  }
  uint64_t state = 0x243f6a8885a308d3u;
  uint64_t length = 0;
  for (;;) {
    size_t filled = 0;
    while (filled < sizeof buffer) {
      ssize_t count = read(fd, (char *)buffer + filled, sizeof buffer - filled);
      if (count < 0) stop(name);
      if (count == 0) break;
      filled += (size_t)count;
    }
    memset((char *)buffer + filled, 0, -filled & 7);
    for (size_t word = 0; word < (filled + 7) / 8; word += 1) state = mix(state, buffer[word]);
    length += filled;
    if (filled < sizeof buffer) break;
  }
  close(fd);
  printf("%016" PRIx64 "", mix(state, length));
}

static int compare_names(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static void print_attributes(int parent, const char *name) {
  // The l-calls have no relative form before Linux 6.13; a held directory has a path.
  char path[64 + 256];
  snprintf(path, sizeof path, "/proc/self/fd/%d/%s", parent, name);
  static char names[65536];
  static char value[65536];
  ssize_t length = llistxattr(path, names, sizeof names);
  if (length <= 0) {
    putchar('-');
    return;
  }
  char *sorted[1024];
  size_t count = 0;
  for (char *each = names; each < names + length && count < 1024; each += strlen(each) + 1) {
    sorted[count++] = each;
  }
  qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t index = 0; index < count; index += 1) {
    ssize_t size = lgetxattr(path, sorted[index], value, sizeof value);
    if (index > 0) putchar(',');
    print_bytes(sorted[index], strlen(sorted[index]));
    putchar('=');
    if (size > 0) print_bytes(value, (size_t)size);
  }
}

static char kind(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return 'f';
    case S_IFDIR: return 'd';
    case S_IFLNK: return 'l';
    case S_IFIFO: return 'p';
    case S_IFSOCK: return 's';
    case S_IFBLK: return 'b';
    case S_IFCHR: return 'c';
    default: return '?';
  }
}

static void print_entry(int parent, const char *name, const char *path, const struct stat *status) {
  print_bytes(path, strlen(path));
  int directory = S_ISDIR(status->st_mode);
  printf("\t%c\t%04o\t%u\t%u\t%lld", kind(status->st_mode), status->st_mode & 07777,
         status->st_uid, status->st_gid, directory ? 0ll : (long long)status->st_size);
  printf("\t%lld.%09ld\t", (long long)status->st_mtim.tv_sec, status->st_mtim.tv_nsec);
  if (!directory && status->st_nlink > 1) {
    const char *first = first_name(status, path);
    print_bytes(first, strlen(first));
  } else {
    putchar('-');
  }
  printf("\t%lld\t", directory ? 0ll : (long long)status->st_blocks / 2);
  if (S_ISREG(status->st_mode) && !without_content) {
    print_content(parent, name);
  } else {
    putchar('-');
  }
  putchar('\t');
  if (S_ISLNK(status->st_mode)) {
    char target[4097];
    ssize_t length = readlinkat(parent, name, target, sizeof target);
    if (length < 0) stop(path);
    print_bytes(target, (size_t)length);
  } else if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) {
    printf("%u:%u", major(status->st_rdev), minor(status->st_rdev));
  } else {
    putchar('-');
  }
  putchar('\t');
  if (with_attributes) {
    print_attributes(parent, name);
  } else {
    putchar('-');
  }
  putchar('\n');
}

static void list(int parent, const char *name, const char *path) {
  struct stat status;
  if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0) stop(path);
  print_entry(parent, name, path, &status);
  if (!S_ISDIR(status.st_mode)) return;

  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    if (errno == EACCES) return;
    stop(path);
  }
  DIR *stream = fdopendir(fd);
  if (stream == NULL) stop(path);
  char **names = NULL;
  size_t count = 0;
  size_t capacity = 0;
  for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (count == capacity) {
      capacity = capacity * 2 + 16;
      names = checked(realloc(names, capacity * sizeof *names));
    }
    names[count++] = checked(strdup(entry->d_name));
  }
  if (count > 0) qsort(names, count, sizeof *names, compare_names);
  for (size_t index = 0; index < count; index += 1) {
    char *below = NULL;
    if (asprintf(&below, "%s/%s", path, names[index]) < 0) stop("memory");
    list(fd, names[index], below);
    free(below);
    free(names[index]);
  }
  free(names);
  closedir(stream);
}

int main(int count, char **arguments) {
  const char *root = NULL;
  for (int index = 1; index < count; index += 1) {
    if (strcmp(arguments[index], "--xattrs") == 0) {
      with_attributes = 1;
    } else if (strcmp(arguments[index], "--no-content") == 0) {
      without_content = 1;
    } else {
      root = arguments[index];
    }
  }
  if (root == NULL) {
    fprintf(stderr, "usage: treelist [--xattrs] [--no-content] DIRECTORY\n");
    return 2;
  }
  list(AT_FDCWD, root, ".");
  return fflush(stdout) == 0 ? 0 : 1;
}
