#include "csystem_task.h"

#include <stddef.h>

// Functions of the Swift runtime, which compilers call: their names and types never change.

/// Returns the task that the calling thread runs, which is not retained; null without one.
__attribute__((swiftcall)) void *swift_task_getCurrent(void);

__attribute__((swiftcall)) bool swift_task_isCancelled(void *task);

bool csys_task_is_cancelled(void) {
  void *task = swift_task_getCurrent();
  return task != NULL && swift_task_isCancelled(task);
}
