#include "csystem_answer.h"
#include "csystem_attributes.h"

#include <stdio.h>
#include <sys/xattr.h>

/// The path of a handle's file in `/proc`, for calls that refuse handles.
typedef struct {
  char path[48];
} csys_handle_path;

static csys_handle_path csys_path_of(int fd) {
  csys_handle_path place;
  snprintf(place.path, sizeof place.path, "/proc/thread-self/fd/%d", fd);
  return place;
}

csys_result csys_attribute_names(int fd, int is_handle, char *names, size_t count) {
  if (is_handle) return csys_answer(listxattr(csys_path_of(fd).path, names, count));
  return csys_answer(flistxattr(fd, names, count));
}

csys_result csys_attribute(int fd, int is_handle, const char *name, void *bytes, size_t count) {
  if (is_handle) return csys_answer(getxattr(csys_path_of(fd).path, name, bytes, count));
  return csys_answer(fgetxattr(fd, name, bytes, count));
}

csys_result csys_set_attribute(
    int fd, int is_handle, const char *name, const void *bytes, size_t count) {
  if (is_handle) return csys_answer(setxattr(csys_path_of(fd).path, name, bytes, count, 0));
  return csys_answer(fsetxattr(fd, name, bytes, count, 0));
}

csys_result csys_remove_attribute(int fd, int is_handle, const char *name) {
  if (is_handle) return csys_answer(removexattr(csys_path_of(fd).path, name));
  return csys_answer(fremovexattr(fd, name));
}
