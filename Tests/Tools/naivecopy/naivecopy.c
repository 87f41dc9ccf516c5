// Copies the way that is written down first, so that tests of traps can show that they fail on it.
//
//   naivecopy [OPTION]... SOURCE... DESTINATION
//
// Options are passed over, but for -a and -p, with which owners and attributes come over as well.
// It walks by path and follows what stat follows, believes sizes, gives a file its full length
// first and its mode whatever it was, and describes a directory before it fills it. None of that is
// an oversight here: each is what some copy tool does.

#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int keeps_everything;
static int status;

static void fail(const char *what, const char *path) {
  fprintf(stderr, "cp: %s %s: %s\n", what, path, strerror(errno));
  status = 1;
}

static void copy_bytes(int from, int to, const struct stat *source, const char *path) {
  static char buffer[65536];
  int is_file = S_ISREG(source->st_mode);
  off_t left = source->st_size;
  while (!is_file || left > 0) {
    size_t wish = is_file && left < (off_t)sizeof buffer ? (size_t)left : sizeof buffer;
    ssize_t count = read(from, buffer, wish);
    if (count < 0) {
      fail("cannot read", path);
      return;
    }
    if (count == 0 && !is_file) return;
    if (write(to, buffer, (size_t)count) < 0) {
      fail("cannot write", path);
      return;
    }
    left -= count;
  }
}

static void describe(const char *path, const char *source, const struct stat *as) {
  struct timespec times[2] = {as->st_atim, as->st_mtim};
  if (utimensat(AT_FDCWD, path, times, 0) < 0) fail("cannot set the times of", path);
  if (chmod(path, as->st_mode & 07777) < 0) fail("cannot set the mode of", path);
  if (!keeps_everything) return;
  char names[4096], value[4096];
  ssize_t length = listxattr(source, names, sizeof names);
  for (char *name = names; length > 0 && name < names + length; name += strlen(name) + 1) {
    ssize_t size = getxattr(source, name, value, sizeof value);
    if (size < 0 || setxattr(path, name, value, (size_t)size, 0) < 0) fail(name, path);
  }
  if (chown(path, as->st_uid, as->st_gid) < 0) fail("cannot set the owner of", path);
}

static void copy(const char *from, const char *to);

static void copy_directory(const char *from, const char *to, const struct stat *as) {
  if (mkdir(to, 0777) < 0 && errno != EEXIST) fail("cannot make", to);
  describe(to, from, as);
  DIR *directory = opendir(from);
  if (directory == NULL) {
    fail("cannot list", from);
    return;
  }
  struct dirent *entry;
  while ((entry = readdir(directory)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char source[PATH_MAX], destination[PATH_MAX];
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(destination, sizeof destination, "%s/%s", to, entry->d_name);
    copy(source, destination);
  }
  closedir(directory);
}

static void copy(const char *from, const char *to) {
  struct stat source;
  if (stat(from, &source) < 0) {
    fail("cannot look at", from);
    return;
  }
  if (S_ISDIR(source.st_mode)) {
    copy_directory(from, to, &source);
    return;
  }
  int in = open(from, O_RDONLY);
  int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (in < 0 || out < 0) {
    fail("cannot open", in < 0 ? from : to);
    if (in >= 0) close(in);
    return;
  }
  // Special files have no length to set.
  (void)!ftruncate(out, source.st_size);
  copy_bytes(in, out, &source, from);
  close(in);
  close(out);
  describe(to, from, &source);
}

int main(int count, char **arguments) {
  char *operands[64];
  int found = 0;
  int has_options = 1;
  for (int index = 1; index < count && found < 64; index += 1) {
    char *word = arguments[index];
    if (has_options && strcmp(word, "--") == 0) {
      has_options = 0;
    } else if (has_options && word[0] == '-') {
      if (word[1] != '-' && strpbrk(word, "ap") != NULL) keeps_everything = 1;
    } else {
      operands[found++] = word;
    }
  }
  if (found < 2) {
    fprintf(stderr, "usage: naivecopy [OPTION]... SOURCE... DESTINATION\n");
    return 2;
  }
  const char *target = operands[found - 1];
  struct stat place;
  int goes_inside = stat(target, &place) == 0 && S_ISDIR(place.st_mode);
  for (int index = 0; index + 1 < found; index += 1) {
    char path[PATH_MAX];
    const char *slash = strrchr(operands[index], '/');
    snprintf(path, sizeof path, goes_inside ? "%s/%s" : "%s", target,
        slash == NULL ? operands[index] : slash + 1);
    copy(operands[index], path);
  }
  return status;
}
