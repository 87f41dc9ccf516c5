#include "source.h"

// A signal source reports each signal; the program goes on.
static void signal_source(void) {
  if (IS_REFERENCE) signal(SIGTERM, SIG_IGN);
  struct source source = make_source(DISPATCH_SOURCE_TYPE_SIGNAL, SIGTERM, 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  dispatch_source_set_event_handler(object, ^{
    CHECK(dispatch_source_get_data(object) >= 1);
    dispatch_semaphore_signal(event);
  });
  CHECK_EQUAL(dispatch_source_get_handle(object), SIGTERM);
  if (IS_REFERENCE) signal(SIGTERM, SIG_DFL);
  dispatch_activate(object);
  pause_for(50);
  for (int round = 0; round < 3; round++) {
    CHECK(kill(getpid(), SIGTERM) == 0);
    WAIT(event);
  }
  cancel_source(&source);
  take_notes();
}

#ifndef REFERENCE
/// Starts a child that ends when it is told to, with a status.
static pid_t child(int status, int *tell) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  pid_t process = fork();
  CHECK(process >= 0);
  if (process == 0) {
    char byte;
    close(ends[1]);
    if (read(ends[0], &byte, 1) < 0) _exit(99);
    _exit(status);
  }
  close(ends[0]);
  *tell = ends[1];
  return process;
}

// A process source reports the end of a process once, to each of several sources.
static void process_source(void) {
  int tell;
  pid_t process = child(7, &tell);
  struct source sources[3];
  for (int index = 0; index < 3; index++) {
    sources[index] = make_source(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)process, DISPATCH_PROC_EXIT);
    dispatch_source_t object = sources[index].source;
    dispatch_semaphore_t event = sources[index].event;
    dispatch_source_set_event_handler(object, ^{
      CHECK_EQUAL(dispatch_source_get_data(object), DISPATCH_PROC_EXIT);
      note("exit");
      dispatch_semaphore_signal(event);
    });
    dispatch_source_set_registration_handler(object, NULL);
    CHECK_EQUAL(dispatch_source_get_handle(object), process);
    CHECK_EQUAL(dispatch_source_get_mask(object), DISPATCH_PROC_EXIT);
    dispatch_activate(object);
  }
  pause_for(30);
  EXPECT("");
  close(tell);
  for (int index = 0; index < 3; index++) WAIT(sources[index].event);
  EXPECT("exit exit exit");
  int status;
  CHECK_EQUAL(waitpid(process, &status, 0), process);
  CHECK_EQUAL(WEXITSTATUS(status), 7);
  for (int index = 0; index < 3; index++) cancel_source(&sources[index]);
  take_notes();
  // A number that was waited for.
  struct source late =
      make_source(DISPATCH_SOURCE_TYPE_PROC, (uintptr_t)process, DISPATCH_PROC_EXIT);
  dispatch_activate(late.source);
  WAIT(late.event);
  cancel_source(&late);
}

/// Waits for an event, and checks all flags since the last one.
static void expect_flags(uintptr_t *flags, uintptr_t expected) {
  double start = milliseconds();
  while (__atomic_load_n(flags, __ATOMIC_SEQ_CST) != expected) {
    if (milliseconds() - start > 5000) CHECK_EQUAL(*flags, expected);
    pause_for(2);
  }
  pause_for(10);
  CHECK_EQUAL(__atomic_exchange_n(flags, 0, __ATOMIC_SEQ_CST), expected);
}

// A file source reports writes, attributes, links, names and the removal of a file.
static void file_observation(void) {
  char path[256], other[256];
  const char *directory = temporary_directory();
  snprintf(path, sizeof path, "%s/file", directory);
  snprintf(other, sizeof other, "%s/other", directory);
  int writer = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  int watched = open(path, O_EVTONLY | O_CLOEXEC);
  CHECK(writer >= 0 && watched >= 0);
  uintptr_t all = DISPATCH_VNODE_DELETE | DISPATCH_VNODE_WRITE | DISPATCH_VNODE_EXTEND |
                  DISPATCH_VNODE_ATTRIB | DISPATCH_VNODE_LINK | DISPATCH_VNODE_RENAME;
  struct source source = make_source(DISPATCH_SOURCE_TYPE_VNODE, (uintptr_t)watched, all);
  static uintptr_t flags;
  dispatch_source_t object = source.source;
  dispatch_source_set_event_handler(object, ^{
    __atomic_fetch_or(&flags, dispatch_source_get_data(object), __ATOMIC_SEQ_CST);
  });
  dispatch_semaphore_t ready = dispatch_semaphore_create(0);
  dispatch_source_set_registration_handler(object, ^{
    dispatch_semaphore_signal(ready);
  });
  dispatch_activate(object);
  WAIT(ready);
  CHECK(write(writer, "hello", 5) == 5);
  expect_flags(&flags, DISPATCH_VNODE_WRITE | DISPATCH_VNODE_EXTEND);
  CHECK(pwrite(writer, "j", 1, 0) == 1);
  expect_flags(&flags, DISPATCH_VNODE_WRITE);
  CHECK(fchmod(writer, 0644) == 0);
  expect_flags(&flags, DISPATCH_VNODE_ATTRIB);
  CHECK(link(path, other) == 0);
  expect_flags(&flags, DISPATCH_VNODE_LINK);
  CHECK(unlink(other) == 0);
  expect_flags(&flags, DISPATCH_VNODE_DELETE | DISPATCH_VNODE_LINK);
  CHECK(rename(path, other) == 0);
  expect_flags(&flags, DISPATCH_VNODE_RENAME);
  CHECK(unlink(other) == 0);
  expect_flags(&flags, DISPATCH_VNODE_DELETE | DISPATCH_VNODE_LINK);
  CHECK(write(writer, "!", 1) == 1);
  pause_for(20);
  cancel_source(&source);
  close(watched);
  close(writer);
  rmdir(directory);
}
#endif

const struct row observation_rows[] = {
    {"signal_source", signal_source},
#ifndef REFERENCE
    {"process_source", process_source},
    {"file_observation", file_observation},
#endif
    {NULL, NULL},
};
