#include "csystem_answer.h"
#include "csystem_dispatch.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

typedef void csys_work(void *);

// A statically linked program may contain Dispatch. The symbols are weak, so that programs without
// Dispatch link as well.
extern char _dispatch_main_q[] __attribute__((weak));
extern void dispatch_async_f(void *, void *, csys_work *) __attribute__((weak));
extern void dispatch_queue_set_specific(void *, const void *, void *, csys_work *)
    __attribute__((weak));
extern void *dispatch_get_specific(const void *) __attribute__((weak));
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *) __attribute__((weak));

static struct {
  bool exists;
  void *main_queue;
  void (*async)(void *queue, void *context, csys_work *work);
  void (*set_specific)(void *queue, const void *key, void *value, csys_work *destructor);
  void *(*get_specific)(const void *key);
  int (*handle)(void);
  void (*callback)(void *unused);
} dispatch;

static pthread_once_t is_decided = PTHREAD_ONCE_INIT;

// Only `dlsym` finds the symbols of a shared library that another library links.
static bool csys_find(void *place, void *linked, const char *name) {
  void *found = linked ? linked : dlsym(RTLD_DEFAULT, name);
  *(void **)place = found;
  return found != NULL;
}

#define CSYS_FIND(place, symbol) csys_find(&dispatch.place, (void *)symbol, #symbol)

static void csys_find_dispatch(void) {
  dispatch.exists = CSYS_FIND(main_queue, _dispatch_main_q) && CSYS_FIND(async, dispatch_async_f) &&
                    CSYS_FIND(set_specific, dispatch_queue_set_specific) &&
                    CSYS_FIND(get_specific, dispatch_get_specific) &&
                    CSYS_FIND(handle, _dispatch_get_main_queue_handle_4CF) &&
                    CSYS_FIND(callback, _dispatch_main_queue_callback_4CF);
  // Work of the queue, and of queues that target it, finds the value.
  if (dispatch.exists) dispatch.set_specific(dispatch.main_queue, &dispatch, &dispatch, NULL);
}

_Bool csys_dispatch_exists(void) {
  pthread_once(&is_decided, csys_find_dispatch);
  return dispatch.exists;
}

static void csys_find_nothing(void) {}

void csys_dispatch_ignore(void) { pthread_once(&is_decided, csys_find_nothing); }

_Bool csys_dispatch_main_is_current(void) {
  return csys_dispatch_exists() && dispatch.get_specific(&dispatch) != NULL;
}

static void csys_call(void *function) { ((void (*)(void))function)(); }

void csys_dispatch_main_submit(void (*function)(void)) {
  dispatch.async(dispatch.main_queue, (void *)function, csys_call);
}

csys_result csys_dispatch_main_wait(void) {
  struct pollfd entry = {dispatch.handle(), POLLIN, 0};
  return csys_answer(poll(&entry, 1, -1));
}

void csys_dispatch_main_drain(void) {
  // The queue makes the descriptor readable again if it gets work from now on.
  uint64_t count;
  ssize_t unused = read(dispatch.handle(), &count, sizeof count);
  (void)unused;
  dispatch.callback(NULL);
}
