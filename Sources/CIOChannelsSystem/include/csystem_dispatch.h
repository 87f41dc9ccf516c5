// The main queue of libdispatch, which is looked up at run time: nothing links the library.

#ifndef CSYSTEM_DISPATCH_H
#define CSYSTEM_DISPATCH_H

#include "csystem_result.h"

/// Returns whether the process contains the queue and all functions that its use needs.
///
/// The first call decides it.
_Bool csys_dispatch_exists(void);

/// Makes the other functions behave as if the process did not contain libdispatch.
///
/// It has an effect only before the first call of any of them.
void csys_dispatch_ignore(void);

/// Returns whether the calling thread runs work of the queue.
_Bool csys_dispatch_main_is_current(void);

/// Submits a function to the queue, which must exist.
void csys_dispatch_main_submit(void (*function)(void));

/// Waits until the queue, which must exist, has work for the main thread.
csys_result csys_dispatch_main_wait(void);

/// Runs the work that waits in the queue, on the main thread.
///
/// It runs nothing if the caller is such work.
void csys_dispatch_main_drain(void);

#endif
