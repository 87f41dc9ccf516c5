#include "csystem_answer.h"
#include "csystem_notification.h"

#include <stdio.h>
#include <sys/inotify.h>

const uint32_t CSYS_IN_MODIFY = IN_MODIFY, CSYS_IN_ATTRIB = IN_ATTRIB,
               CSYS_IN_MOVED_FROM = IN_MOVED_FROM, CSYS_IN_MOVED_TO = IN_MOVED_TO,
               CSYS_IN_CREATE = IN_CREATE, CSYS_IN_DELETE = IN_DELETE,
               CSYS_IN_DELETE_SELF = IN_DELETE_SELF, CSYS_IN_MOVE_SELF = IN_MOVE_SELF,
               CSYS_IN_UNMOUNT = IN_UNMOUNT, CSYS_IN_Q_OVERFLOW = IN_Q_OVERFLOW,
               CSYS_IN_IGNORED = IN_IGNORED, CSYS_IN_ISDIR = IN_ISDIR,
               CSYS_IN_MASK_ADD = IN_MASK_ADD;

csys_result csys_inotify_create(void) {
  return csys_answer(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
}

csys_result csys_inotify_add(int instance, int fd, uint32_t mask) {
  char path[48];
  // The directory of the process has no descriptors once its first thread has ended.
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
  return csys_answer(inotify_add_watch(instance, path, mask));
}

csys_result csys_inotify_remove(int instance, int watch) {
  return csys_answer(inotify_rm_watch(instance, watch));
}
