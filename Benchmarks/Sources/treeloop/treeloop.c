// Copies a tree of directories and regular files on one or two threads, and does no more than it
// must.
//
//   treeloop SOURCE DESTINATION [THREADS]
//
// The directories are made first, by one thread. Then each file takes nine calls: open, fstat, read,
// open, write, futimens, fchmod, close, close; more only where it does not fit into the buffer.
// Nothing that a tree may hold besides is looked for: no links, holes, attributes or lists, and no
// file that changes meanwhile. Directories get their times and modes last.

#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { batch = 32, buffer_size = 256 << 10 };

// Paths below the two roots.
struct list {
  char **paths;
  size_t count, room;
};

static struct list directories, files;
static int source_root, copy_root;
static atomic_size_t next_file;

static void add(struct list *list, const char *directory, const char *name) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 1024;
    list->paths = realloc(list->paths, list->room * sizeof *list->paths);
    if (!list->paths) err(1, "memory");
  }
  if (asprintf(&list->paths[list->count++], "%s/%s", directory, name) < 0) err(1, "memory");
}

static void look_into(const char *path) {
  int file = openat(source_root, path, O_RDONLY | O_DIRECTORY);
  DIR *directory = file < 0 ? NULL : fdopendir(file);
  if (!directory) err(1, "%s", path);
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    switch (entry->d_type) {
      case DT_REG: add(&files, path, entry->d_name); break;
      case DT_DIR:
        add(&directories, path, entry->d_name);
        if (mkdirat(copy_root, directories.paths[directories.count - 1], 0700) < 0) {
          err(1, "%s", path);
        }
        break;
      default: errno = ENOTSUP; err(1, "%s", entry->d_name);
    }
  }
  closedir(directory);
}

static void describe(int file, const struct stat *status, const char *path) {
  struct timespec times[2] = {status->st_atim, status->st_mtim};
  if (futimens(file, times) < 0 || fchmod(file, status->st_mode & 07777) < 0) err(1, "%s", path);
}

static int copy_bytes(int source, off_t length, const char *path, char *buffer) {
  off_t done = 0;
  int copy = -1;
  do {
    ssize_t count = read(source, buffer, buffer_size);
    if (count < 0 || (count == 0 && done < length)) err(1, "%s", path);
    if (copy < 0) {
      copy = openat(copy_root, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
      if (copy < 0) err(1, "%s", path);
    }
    if (count > 0 && write(copy, buffer, (size_t)count) != count) err(1, "%s", path);
    done += count;
  } while (done < length);
  return copy;
}

static void copy_file(const char *path, char *buffer) {
  struct stat status;
  int source = openat(source_root, path, O_RDONLY);
  if (source < 0 || fstat(source, &status) < 0) err(1, "%s", path);
  int copy = copy_bytes(source, status.st_size, path, buffer);
  describe(copy, &status, path);
  if (close(copy) < 0 || close(source) < 0) err(1, "%s", path);
}

static void *copy_files(void *unused) {
  char *buffer = malloc(buffer_size);
  if (!buffer) err(1, "memory");
  for (size_t start; (start = atomic_fetch_add(&next_file, batch)) < files.count;) {
    for (size_t index = start; index < files.count && index < start + batch; index++) {
      copy_file(files.paths[index], buffer);
    }
  }
  free(buffer);
  return unused;
}

int main(int count, char **arguments) {
  if (count != 3 && count != 4) {
    fprintf(stderr, "usage: treeloop SOURCE DESTINATION [THREADS]\n");
    return 2;
  }
  if (mkdir(arguments[2], 0700) < 0) err(1, "%s", arguments[2]);
  source_root = open(arguments[1], O_RDONLY | O_DIRECTORY);
  copy_root = open(arguments[2], O_RDONLY | O_DIRECTORY);
  if (source_root < 0 || copy_root < 0) err(1, "open");

  look_into(".");
  for (size_t index = 0; index < directories.count; index++) look_into(directories.paths[index]);
  pthread_t other;
  int is_alone = count == 4 && atoi(arguments[3]) == 1;
  if (!is_alone && pthread_create(&other, NULL, copy_files, NULL) != 0) err(1, "thread");
  copy_files(NULL);
  if (!is_alone) pthread_join(other, NULL);

  struct stat status;
  for (size_t index = directories.count; index-- > 0;) {
    const char *path = directories.paths[index];
    int copy = openat(copy_root, path, O_RDONLY | O_DIRECTORY);
    if (copy < 0 || fstatat(source_root, path, &status, 0) < 0) err(1, "%s", path);
    describe(copy, &status, path);
    close(copy);
  }
  if (fstat(source_root, &status) < 0) err(1, "%s", arguments[1]);
  describe(copy_root, &status, arguments[2]);
  return 0;
}
