#include "tool.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char record[1 << 16];
static size_t used;

static void end(void) {
  fflush(stderr);
  _exit(1);
}

void tool_check(bool is_true, const char *condition, const char *file, int line) {
  if (is_true) return;
  fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
  end();
}

void tool_check_equal(long long found, long long expected, const char *text, const char *file,
                      int line) {
  if (found == expected) return;
  fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, text, found, expected);
  end();
}

void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&lock);
  if (used > 0 && used < sizeof record) record[used++] = ' ';
  int length = vsnprintf(record + used, sizeof record - used, format, arguments);
  used += length > 0 ? (size_t)length : 0;
  CHECK(used < sizeof record);
  pthread_mutex_unlock(&lock);
  va_end(arguments);
}

char *take_notes(void) {
  pthread_mutex_lock(&lock);
  char *copy = strndup(record, used);
  used = 0;
  pthread_mutex_unlock(&lock);
  return copy;
}

void tool_await(const char *text, const char *file, int line) {
  for (int round = 0; round < 10000; round++) {
    pthread_mutex_lock(&lock);
    bool is_there = memmem(record, used, text, strlen(text)) != NULL;
    pthread_mutex_unlock(&lock);
    if (is_there) return;
    pause_for(1);
  }
  char *found = take_notes();
  fprintf(stderr, "%s:%d: no \"%s\" in \"%s\"\n", file, line, text, found);
  end();
}

void tool_expect(const char *text, const char *file, int line) {
  for (int round = 0; round < 5000; round++) {
    pthread_mutex_lock(&lock);
    bool is_there = used == strlen(text) && memcmp(record, text, used) == 0;
    pthread_mutex_unlock(&lock);
    if (is_there) break;
    pause_for(1);
  }
  char *found = take_notes();
  if (strcmp(found, text) != 0) {
    fprintf(stderr, "%s:%d: \"%s\", not \"%s\"\n", file, line, found, text);
    end();
  }
  free(found);
}

void tool_wait(dispatch_semaphore_t semaphore, const char *file, int line) {
  if (dispatch_semaphore_wait(semaphore, from_now(10000)) == 0) return;
  char *found = take_notes();
  fprintf(stderr, "%s:%d: no signal after \"%s\"\n", file, line, found);
  end();
}

void pause_for(int milliseconds) {
  struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&rest, &rest) < 0) {}
}

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double milliseconds(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double processor_time(void) {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

dispatch_time_t from_now(int milliseconds) {
  return dispatch_time(DISPATCH_TIME_NOW, (int64_t)milliseconds * (int64_t)NSEC_PER_MSEC);
}

dispatch_queue_t global_queue(void) {
  return dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, 0);
}

int unnamed_file(void) {
  char name[] = "/tmp/gcdtool.XXXXXX";
  int descriptor = mkostemp(name, O_CLOEXEC);
  CHECK(descriptor >= 0);
  CHECK(unlink(name) == 0);
  return descriptor;
}

int file_of_size(size_t size) {
  int descriptor = unnamed_file();
  unsigned char *bytes = malloc(size + 1);
  CHECK(bytes != NULL);
  for (size_t index = 0; index < size; index++) bytes[index] = (unsigned char)(index % 251);
  CHECK(write(descriptor, bytes, size) == (ssize_t)size);
  CHECK(lseek(descriptor, 0, SEEK_SET) == 0);
  free(bytes);
  return descriptor;
}

const char *temporary_directory(void) {
  static char name[] = "/tmp/gcdtool.XXXXXX";
  CHECK(mkdtemp(name) != NULL);
  return name;
}
