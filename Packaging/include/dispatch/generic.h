// dispatch_wait, dispatch_notify, dispatch_cancel and dispatch_testcancel: names that stand for
// several functions, by the type of the first argument. C needs C11 or clang.

#ifndef GCD_DISPATCH_GENERIC_H
#define GCD_DISPATCH_GENERIC_H

#include <dispatch/block.h>
#include <dispatch/group.h>
#include <dispatch/semaphore.h>
#include <dispatch/source.h>

#ifdef __cplusplus

DISPATCH_BEGIN_HEADER

/// Waits for a group.
inline intptr_t dispatch_wait(dispatch_group_t group, dispatch_time_t timeout) {
  return dispatch_group_wait(group, timeout);
}
/// Waits for a semaphore.
inline intptr_t dispatch_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout) {
  return dispatch_semaphore_wait(semaphore, timeout);
}
/// Cancels a source.
inline void dispatch_cancel(dispatch_source_t source) {
  dispatch_source_cancel(source);
}
/// Returns a value other than 0 if a source was cancelled.
inline intptr_t dispatch_testcancel(dispatch_source_t source) {
  return dispatch_source_testcancel(source);
}
#ifdef __BLOCKS__
/// Waits for an item.
inline intptr_t dispatch_wait(dispatch_block_t block, dispatch_time_t timeout) {
  return dispatch_block_wait(block, timeout);
}
/// Submits a block when the count of a group is 0.
inline void dispatch_notify(dispatch_group_t group, dispatch_queue_t queue,
                            dispatch_block_t block) {
  dispatch_group_notify(group, queue, block);
}
/// Submits a block when an item has run.
inline void dispatch_notify(dispatch_block_t block, dispatch_queue_t queue,
                            dispatch_block_t notification_block) {
  dispatch_block_notify(block, queue, notification_block);
}
/// Cancels an item.
inline void dispatch_cancel(dispatch_block_t block) {
  dispatch_block_cancel(block);
}
/// Returns a value other than 0 if an item was cancelled.
inline intptr_t dispatch_testcancel(dispatch_block_t block) {
  return dispatch_block_testcancel(block);
}
#endif

DISPATCH_END_HEADER

#elif defined(__clang__) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)

#ifdef __BLOCKS__
#define dispatch_wait(object, timeout)                                                            \
  _Generic((object), dispatch_block_t: dispatch_block_wait,                                       \
           dispatch_group_t: dispatch_group_wait,                                                 \
           dispatch_semaphore_t: dispatch_semaphore_wait)((object), (timeout))
// A block has commas outside of parentheses, so it is the rest of the arguments.
#define dispatch_notify(object, ...)                                                              \
  _Generic((object), dispatch_block_t: dispatch_block_notify,                                     \
           dispatch_group_t: dispatch_group_notify)((object), __VA_ARGS__)
#define dispatch_cancel(object)                                                                   \
  _Generic((object), dispatch_block_t: dispatch_block_cancel,                                     \
           dispatch_source_t: dispatch_source_cancel)(object)
#define dispatch_testcancel(object)                                                               \
  _Generic((object), dispatch_block_t: dispatch_block_testcancel,                                 \
           dispatch_source_t: dispatch_source_testcancel)(object)
#else
#define dispatch_wait(object, timeout)                                                            \
  _Generic((object), dispatch_group_t: dispatch_group_wait,                                       \
           dispatch_semaphore_t: dispatch_semaphore_wait)((object), (timeout))
#define dispatch_cancel(object)                                                                   \
  _Generic((object), dispatch_source_t: dispatch_source_cancel)(object)
#define dispatch_testcancel(object)                                                               \
  _Generic((object), dispatch_source_t: dispatch_source_testcancel)(object)
#endif

#endif

#endif
