#include "csystem_answer.h"
#include "csystem_attributes.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// The headers of some C libraries lack the numbers, which are the same on all architectures.
enum {
  csys_fsopen = 430,
  csys_fsconfig = 431,
  csys_fsmount = 432,
  csys_setxattrat = 463,
  csys_getxattrat = 464,
  csys_listxattrat = 465,
  csys_removexattrat = 466
};

/// The place of a handle's file in `/proc`, for calls that refuse handles.
typedef struct {
  char path[48];
} csys_handle_path;

static csys_handle_path csys_path_of(int fd, const char *proc) {
  csys_handle_path place;
  snprintf(place.path, sizeof place.path, "%sthread-self/fd/%d", proc, fd);
  return place;
}

/// The value of an attribute as `setxattrat` and `getxattrat` take it.
typedef struct {
  uint64_t value;
  uint32_t size, flags;
} csys_attribute_value;

/// A file system `proc` that has no place in the tree of names, or -1.
static int csys_hidden_proc = -1;

static void csys_mount_hidden_proc(void) {
  int context = (int)syscall(csys_fsopen, "proc", 1u);  // FSOPEN_CLOEXEC
  if (context < 0) return;
  const unsigned attributes = 0x2 | 0x4 | 0x8;  // no set-id programs, devices or programs
  if (syscall(csys_fsconfig, context, 6u, NULL, NULL, 0) == 0) {  // FSCONFIG_CMD_CREATE
    csys_hidden_proc = (int)syscall(csys_fsmount, context, 1u, attributes);  // FSMOUNT_CLOEXEC
  }
  close(context);
}

/// Whether an answer about a place in `/proc` is that of the file, and not of a missing `/proc`.
static bool csys_is_of_file(csys_result answer) {
  if (answer.error != ENOENT && answer.error != ENOTDIR) return true;
  return access("/proc/thread-self/fd", F_OK) == 0;
}

/// Returns the directory of `thread-self` where there is no `/proc`, or -1.
///
/// The superuser may mount one that no other process sees. No call reaches the attributes of a
/// handle without it: the kernel refuses handles in `getxattrat` with `AT_EMPTY_PATH`, too.
static int csys_proc(void) {
  static pthread_once_t is_mounted = PTHREAD_ONCE_INIT;
  pthread_once(&is_mounted, csys_mount_hidden_proc);
  return csys_hidden_proc;
}

/// Converts the answer of a call of Linux 6.13. A handle that it cannot reach gives `EBADF`.
static csys_result csys_new_answer(long value) {
  if (value < 0 && errno == ENOSYS) errno = EBADF;
  return csys_answer(value);
}

csys_result csys_attribute_names(int fd, int is_handle, char *names, size_t count) {
  if (!is_handle) return csys_answer(flistxattr(fd, names, count));
  csys_result answer = csys_answer(listxattr(csys_path_of(fd, "/proc/").path, names, count));
  if (csys_is_of_file(answer)) return answer;
  return csys_new_answer(
      syscall(csys_listxattrat, csys_proc(), csys_path_of(fd, "").path, 0, names, count));
}

csys_result csys_attribute(int fd, int is_handle, const char *name, void *bytes, size_t count) {
  if (!is_handle) return csys_answer(fgetxattr(fd, name, bytes, count));
  csys_result answer = csys_answer(getxattr(csys_path_of(fd, "/proc/").path, name, bytes, count));
  if (csys_is_of_file(answer)) return answer;
  csys_attribute_value value = {(uintptr_t)bytes, (uint32_t)count, 0};
  return csys_new_answer(
      syscall(
          csys_getxattrat, csys_proc(), csys_path_of(fd, "").path, 0, name, &value, sizeof value));
}

csys_result csys_set_attribute(
    int fd, int is_handle, const char *name, const void *bytes, size_t count) {
  if (!is_handle) return csys_answer(fsetxattr(fd, name, bytes, count, 0));
  csys_result answer =
      csys_answer(setxattr(csys_path_of(fd, "/proc/").path, name, bytes, count, 0));
  if (csys_is_of_file(answer)) return answer;
  csys_attribute_value value = {(uintptr_t)bytes, (uint32_t)count, 0};
  return csys_new_answer(
      syscall(
          csys_setxattrat, csys_proc(), csys_path_of(fd, "").path, 0, name, &value, sizeof value));
}

csys_result csys_remove_attribute(int fd, int is_handle, const char *name) {
  if (!is_handle) return csys_answer(fremovexattr(fd, name));
  csys_result answer = csys_answer(removexattr(csys_path_of(fd, "/proc/").path, name));
  if (csys_is_of_file(answer)) return answer;
  return csys_new_answer(
      syscall(csys_removexattrat, csys_proc(), csys_path_of(fd, "").path, 0, name));
}
