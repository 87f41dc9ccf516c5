// The task that runs on the calling thread.

#ifndef CSYSTEM_TASK_H
#define CSYSTEM_TASK_H

#include <stdbool.h>

/// Returns whether the calling thread runs a task that was cancelled.
///
/// `Task.isCancelled` answers the same, but retains and releases the task, two locked instructions
/// that cost as much as a line of a loop.
bool csys_task_is_cancelled(void);

#endif
