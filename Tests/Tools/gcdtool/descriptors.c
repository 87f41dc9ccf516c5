#include "source.h"

#include <netinet/in.h>
#include <sys/socket.h>

/// Sets a handler that reads up to `bytes` bytes and notes the data and what it has read.
static void read_events(struct source *source, int descriptor, size_t bytes) {
  dispatch_source_t object = source->source;
  dispatch_semaphore_t event = source->event;
  dispatch_source_set_event_handler(object, ^{
    size_t data = dispatch_source_get_data(object);
    char buffer[64];
    ssize_t count = bytes ? read(descriptor, buffer, bytes) : 0;
    if (bytes) note("e%zu[%zd]", data, count);
    else note("e%zu", data);
    dispatch_semaphore_signal(event);
    if (data == 0) dispatch_source_cancel(object);
  });
}

// A read source reports the bytes that wait, until they are read.
static void read_source(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  struct source source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  __block int calls = 0;
  int descriptor = ends[0];
  dispatch_source_set_event_handler(object, ^{
    note("e%zu", (size_t)dispatch_source_get_data(object));
    calls += 1;
    char buffer[8];
    if (calls >= 3) CHECK(read(descriptor, buffer, 2) > 0);
    if (calls == 5) dispatch_semaphore_signal(event);
  });
  CHECK_EQUAL(dispatch_source_get_handle(object), descriptor);
  dispatch_activate(object);
  pause_for(30);
  EXPECT("reg");
  CHECK(write(ends[1], "hello", 5) == 5);
  WAIT(event);
  pause_for(30);
  EXPECT("e5 e5 e5 e3 e1");
  cancel_source(&source);
  EXPECT("cancel");
}

// The bytes of a peer that has gone are reported before its end, and the end once.
static void read_end(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  CHECK(write(ends[1], "he", 2) == 2);
  close(ends[1]);
  struct source source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
  read_events(&source, ends[0], 8);
  dispatch_activate(source.source);
  WAIT(source.cancelled);
  EXPECT(IS_REFERENCE ? "reg e0[2] cancel" : "reg e2[2] e0[0] cancel");
  dispatch_release(source.source);
  for (int way = 0; way < 2; way++) {
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    CHECK(write(ends[1], "hello", 5) == 5);
    if (way == 0) CHECK(shutdown(ends[1], SHUT_WR) == 0);
    else close(ends[1]);
    source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
    read_events(&source, ends[0], 8);
    dispatch_activate(source.source);
    WAIT(source.cancelled);
    EXPECT(IS_REFERENCE && way == 1 ? "reg e0[5] cancel" : "reg e5[5] e0[0] cancel");
    dispatch_release(source.source);
  }
#ifndef REFERENCE
  // A handler that ignores the end has one call, and the source costs nothing any more.
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
  dispatch_activate(source.source);
  close(ends[1]);
  WAIT(source.event);
  double start = processor_time();
  pause_for(200);
  CHECK(processor_time() - start < 50);
  EXPECT("reg e0");
  cancel_source(&source);
  EXPECT("cancel");
#endif
}

// A write source reports room, on a full pipe only when there is some.
static void write_source(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  struct source source = make_source(DISPATCH_SOURCE_TYPE_WRITE, (uintptr_t)ends[1], 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  __block int calls = 0;
  dispatch_source_set_event_handler(object, ^{
    if (!IS_REFERENCE) CHECK(dispatch_source_get_data(object) > 0);
    calls += 1;
    if (calls == 3) dispatch_suspend(object);
    dispatch_semaphore_signal(event);
  });
  dispatch_activate(object);
  for (int index = 0; index < 3; index++) WAIT(event);
  static char block[4096];
  while (write(ends[1], block, sizeof block) > 0) {}
  dispatch_resume(object);
  pause_for(50);
  CHECK(calls <= 4);
  while (dispatch_semaphore_wait(event, DISPATCH_TIME_NOW) == 0) {}
  CHECK(read(ends[0], block, sizeof block) > 0);
  WAIT(event);
#ifndef REFERENCE
  while (write(ends[1], block, sizeof block) > 0) {}
  pause_for(20);
  while (dispatch_semaphore_wait(event, DISPATCH_TIME_NOW) == 0) {}
  close(ends[0]);
  WAIT(event);
  double start = processor_time();
  pause_for(200);
  CHECK(processor_time() - start < 50);
#endif
  cancel_source(&source);
  take_notes();
}

// A file is always ready; at its end a read source reports 0.
static void file_source(void) {
  int descriptor = file_of_size(100);
  CHECK_EQUAL(lseek(descriptor, 40, SEEK_SET), 40);
  struct source source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)descriptor, 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  __block int calls = 0;
  dispatch_source_set_event_handler(object, ^{
    calls += 1;
    if (calls <= 3) note("e%zu", (size_t)dispatch_source_get_data(object));
    if (calls == 2) lseek(descriptor, 0, SEEK_END);
    if (calls == 3) dispatch_semaphore_signal(event);
  });
  dispatch_activate(object);
  WAIT(event);
  EXPECT("reg e60 e60 e0");
  pause_for(50);
  if (!IS_REFERENCE) CHECK_EQUAL(calls, 3);
  cancel_source(&source);
  EXPECT("cancel");
}

// A listening socket reports the connections that wait.
static void listening_source(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  CHECK(bind(listener, (struct sockaddr *)&address, length) == 0);
  CHECK(listen(listener, 5) == 0);
  CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
  for (int index = 0; index < 3; index++) {
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(connect(client, (struct sockaddr *)&address, length) == 0);
  }
  struct source source = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)listener, 0);
  dispatch_source_t object = source.source;
  dispatch_semaphore_t event = source.event;
  dispatch_source_set_event_handler(object, ^{
    note("e%zu", (size_t)dispatch_source_get_data(object));
    CHECK(accept(listener, NULL, NULL) >= 0);
    dispatch_semaphore_signal(event);
  });
  dispatch_activate(object);
  for (int index = 0; index < 3; index++) WAIT(event);
  EXPECT(IS_REFERENCE ? "reg e1 e1 e1" : "reg e3 e2 e1");
  cancel_source(&source);
}

// Two sources of one descriptor have the events of both, and a bad descriptor has none.
static void shared_descriptor(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  struct source first = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
  struct source second = make_source(DISPATCH_SOURCE_TYPE_READ, (uintptr_t)ends[0], 0);
  dispatch_activate(first.source);
  dispatch_activate(second.source);
  CHECK(write(ends[1], "hello", 5) == 5);
  WAIT(first.event);
  WAIT(second.event);
  cancel_source(&first);
  cancel_source(&second);
  free(take_notes());
  struct source bad = make_source(DISPATCH_SOURCE_TYPE_READ, 1000, 0);
  dispatch_activate(bad.source);
  pause_for(30);
  EXPECT("reg");
  cancel_source(&bad);
  EXPECT("cancel");
}

const struct row descriptor_rows[] = {
    {"read_source", read_source},
    {"read_end", read_end},
    {"write_source", write_source},
    {"file_source", file_source},
    {"listening_source", listening_source},
    {"shared_descriptor", shared_descriptor},
    {NULL, NULL},
};
