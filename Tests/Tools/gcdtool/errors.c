#include "channel.h"

static dispatch_data_t five(void) {
  return dispatch_data_create("01234", 5, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
}

/// Waits for two operations and the cleanup, whose order does not count, and checks the record.
static void expect_failure(struct channel *channel, const char *read, const char *write,
                           const char *cleanup) {
  finish(channel);
  finish(channel);
  close_channel(channel, 0);
  char *found = take_notes();
  char padded[256];
  snprintf(padded, sizeof padded, " %s ", found);
  const char *parts[] = {read, write, cleanup};
  size_t length = 2;
  for (size_t index = 0; index < 3; index++) {
    char part[64];
    snprintf(part, sizeof part, " %s ", parts[index]);
    if (!strstr(padded, part)) fprintf(stderr, "\"%s\" lacks \"%s\"\n", found, parts[index]);
    CHECK(strstr(padded, part) != NULL);
    length += strlen(parts[index]);
  }
  CHECK_EQUAL(strlen(found), length);
  free(found);
}

// A descriptor that cannot be used still gives a channel, whose operations have the error.
static void bad_descriptors(void) {
  struct channel channel = open_channel(DISPATCH_IO_STREAM, 1000);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  expect_failure(&channel, "1/NULL/9", "1/5/9", "c9");
  int directory = open("/", O_RDONLY | O_CLOEXEC);
  channel = open_channel(DISPATCH_IO_STREAM, directory);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  expect_failure(&channel, "1/NULL/21", "1/5/21", "c21");
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  channel = open_channel(DISPATCH_IO_RANDOM, ends[0]);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  expect_failure(&channel, "1/NULL/29", "1/5/29", "c29");
  dispatch_queue_t queue = channel.queue;
  CHECK(dispatch_io_create(7, ends[0], global_queue(), ^(int error) {
          (void)error;
          CHECK(false);
        }) == NULL);
  (void)queue;
}

// A path is opened by the first operation, and must be absolute.
static void bad_paths(void) {
  char path[256];
  snprintf(path, sizeof path, "%s/missing", temporary_directory());
  struct channel channel = open_path(DISPATCH_IO_STREAM, path, O_RDONLY);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  expect_failure(&channel, "1/NULL/2", "1/5/2", "c2");
  void (^never)(int) = ^(int error) {
    (void)error;
    CHECK(false);
  };
  CHECK(dispatch_io_create_with_path(DISPATCH_IO_STREAM, "relative", O_RDONLY, 0, global_queue(),
                                     never) == NULL);
  channel = open_path(DISPATCH_IO_STREAM, path, O_WRONLY | O_CREAT | O_EXCL);
  pause_for(20);
  CHECK(access(path, F_OK) < 0);
  start_write(&channel, 0, five());
  finish(&channel);
  CHECK(access(path, F_OK) == 0);
  close_channel(&channel, 0);
  EXPECT("1/NULL c0");
  channel = open_path(DISPATCH_IO_STREAM, path, O_RDWR | O_CREAT | O_EXCL);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  finish(&channel);
  finish(&channel);
  close_channel(&channel, 0);
  char *found = take_notes();
  CHECK(strstr(found, "1/NULL/17") != NULL && strstr(found, "1/5/17") != NULL);
  // The error of the opening does not reach the cleanup.
  CHECK(strstr(found, "c0") != NULL);
  free(found);
  CHECK(unlink(path) == 0);
  *strrchr(path, '/') = 0;
  rmdir(path);
}

// Operations of a closed channel are cancelled.
static void closed_channels(void) {
  int descriptor = file_of_size(100);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, descriptor);
  dispatch_io_close(channel.io, 0);
  WAIT(channel.cleaned);
  EXPECT("c0");
  CHECK_EQUAL(dispatch_io_get_descriptor(channel.io), -1);
  start_read(&channel, 0, SIZE_MAX);
  start_write(&channel, 0, five());
  finish(&channel);
  finish(&channel);
  EXPECT("1/NULL/125 1/5/125");
  dispatch_release(channel.io);
}

const struct row error_rows[] = {
    {"bad_descriptors", bad_descriptors},
    {"bad_paths", bad_paths},
    {"closed_channels", closed_channels},
    {NULL, NULL},
};
