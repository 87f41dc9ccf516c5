#include "channel.h"

/// Writes an object to a new file.
static void write_file(size_t count, size_t size, const size_t *low, const size_t *high,
                       const char *trace) {
  int descriptor = unnamed_file();
  struct channel channel = open_channel(DISPATCH_IO_STREAM, descriptor);
  if (low) dispatch_io_set_low_water(channel.io, *low);
  if (high) dispatch_io_set_high_water(channel.io, *high);
  dispatch_data_t data = regions(count, size);
  start_write(&channel, 0, data);
  dispatch_release(data);
  finish(&channel);
  EXPECT(trace);
  close_channel(&channel, 0);
  EXPECT("c0");
  struct stat state;
  CHECK(fstat(descriptor, &state) == 0);
  CHECK_EQUAL(state.st_size, count * size);
  for (size_t index = 0; index < count; index++) {
    char byte = 0;
    CHECK(pread(descriptor, &byte, 1, (off_t)(index * size + size - 1)) == 1);
    CHECK_EQUAL(byte, 'a' + (int)index);
  }
  close(descriptor);
}

// Writes report what is left, in the steps of the water marks.
static void file_writes(void) {
  size_t none = 0, half = 512 << 10;
  write_file(1, 5 << 19, NULL, NULL, "1/NULL");
  write_file(1, 5 << 19, NULL, &half, "0/2097152 0/1572864 0/1048576 0/524288 1/NULL");
  write_file(5, 700 << 10, NULL, NULL, "0/2150400 0/716800 1/NULL");
  write_file(5, 700 << 10, &none, NULL, "0/2867200 0/2150400 0/1433600 0/716800 1/NULL");
  write_file(0, 0, NULL, NULL, "1/NULL");
}

// A pipe without a reader gives EPIPE, and no signal ends the program.
static void broken_pipe(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  close(ends[0]);
  if (IS_REFERENCE) signal(SIGPIPE, SIG_IGN);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[1]);
  dispatch_data_t data = regions(1, 100);
  start_write(&channel, 0, data);
  start_write(&channel, 0, data);
  finish(&channel);
  finish(&channel);
  EXPECT("1/100/32 1/100/32");
  close_channel(&channel, 0);
  EXPECT("c0");
  dispatch_release(data);
}

// A write to a slow reader reports less and less.
static void slow_reader(void) {
  int ends[2];
  CHECK(pipe2(ends, O_CLOEXEC) == 0);
  struct channel channel = open_channel(DISPATCH_IO_STREAM, ends[1]);
  dispatch_io_set_low_water(channel.io, 1);
  dispatch_data_t data = regions(1, 300000);
  start_write(&channel, 0, data);
  size_t taken = 0;
  while (taken < 300000) {
    static char buffer[65536];
    ssize_t count = read(ends[0], buffer, sizeof buffer);
    CHECK(count > 0);
    taken += (size_t)count;
    pause_for(20);
  }
  finish(&channel);
  char *found = take_notes();
  size_t last = 300000;
  int reports = 0;
  char *state = NULL;
  for (char *word = strtok_r(found, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
    if (strcmp(word, "1/NULL") == 0) continue;
    CHECK(strncmp(word, "0/", 2) == 0);
    size_t rest = strtoul(word + 2, NULL, 10);
    CHECK(rest > 0 && rest < last);
    last = rest;
    reports += 1;
  }
  CHECK(reports >= 3);
  close_channel(&channel, 0);
  take_notes();
}

const struct row write_rows[] = {
    {"file_writes", file_writes},
    {"broken_pipe", broken_pipe},
    {"slow_reader", slow_reader},
    {NULL, NULL},
};
