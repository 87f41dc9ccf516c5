#include "tool.h"

#include <sys/mman.h>

static dispatch_semaphore_t destroyed;

static void destroy(void *buffer) {
  note("%s", (const char *)buffer);
  dispatch_semaphore_signal(destroyed);
}

static dispatch_data_t data_of(const char *text) {
  return dispatch_data_create(text, strlen(text), NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
}

/// Checks the bytes of an object in all ways of reading them, and releases the object.
static void expect_bytes(dispatch_data_t data, const char *text) {
  CHECK_EQUAL(dispatch_data_get_size(data), strlen(text));
  const void *buffer = "";
  size_t size = 1;
  dispatch_data_t map = dispatch_data_create_map(data, &buffer, &size);
  CHECK_EQUAL(size, strlen(text));
  CHECK(size == 0 || memcmp(buffer, text, size) == 0);
  dispatch_release(map);
  __block size_t next = 0;
  bool result = dispatch_data_apply(
      data, ^bool(dispatch_data_t region, size_t offset, const void *piece, size_t length) {
        CHECK(region != NULL);
        CHECK_EQUAL(offset, next);
        CHECK(memcmp(piece, text + offset, length) == 0);
        next += length;
        return true;
      });
  CHECK(result);
  CHECK_EQUAL(next, strlen(text));
  dispatch_release(data);
}

// Bytes are copied, joined, cut and mapped.
static void data_forms(void) {
  char copied[] = "hello";
  dispatch_data_t hello = data_of(copied);
  copied[0] = 'X';
  dispatch_data_t world = data_of(", world");
  dispatch_data_t both = dispatch_data_create_concat(hello, world);
  dispatch_release(hello);
  dispatch_release(world);
  dispatch_retain(both);
  expect_bytes(both, "hello, world");
  expect_bytes(dispatch_data_create_subrange(both, 3, 5), "lo, w");
  expect_bytes(dispatch_data_create_subrange(both, 7, SIZE_MAX), "world");
  expect_bytes(dispatch_data_create_subrange(both, 12, 1), "");
  expect_bytes(dispatch_data_create_subrange(both, SIZE_MAX, SIZE_MAX), "");
  expect_bytes(dispatch_data_create_subrange(both, 3, 0), "");
  size_t offset;
  expect_bytes(dispatch_data_copy_region(both, 2, &offset), "hello");
  CHECK_EQUAL(offset, 0);
  expect_bytes(dispatch_data_copy_region(both, 11, &offset), ", world");
  CHECK_EQUAL(offset, 5);
  expect_bytes(dispatch_data_copy_region(both, 12, &offset), "");
  CHECK_EQUAL(offset, 12);
  __block int calls = 0;
  bool result = dispatch_data_apply(
      both, ^bool(dispatch_data_t region, size_t start, const void *piece, size_t length) {
        (void)region, (void)start, (void)piece, (void)length;
        calls += 1;
        return false;
      });
  CHECK(!result);
  CHECK_EQUAL(calls, 1);
  dispatch_data_t map = dispatch_data_create_map(both, NULL, NULL);
  dispatch_release(both);
  expect_bytes(map, "hello, world");
}

// The empty object is one object, which needs no references.
static void data_empty(void) {
  dispatch_data_t empty = dispatch_data_empty;
  for (int round = 0; round < 10; round++) dispatch_release(empty);
  dispatch_retain(empty);
  CHECK_EQUAL(dispatch_data_get_size(empty), 0);
  CHECK(dispatch_data_create("", 0, NULL, DISPATCH_DATA_DESTRUCTOR_DEFAULT) == empty);
  CHECK(dispatch_data_create(malloc(1), 0, NULL, DISPATCH_DATA_DESTRUCTOR_FREE) == empty);
  CHECK(dispatch_data_create_concat(empty, empty) == empty);
  CHECK(dispatch_data_create_subrange(empty, 0, 5) == empty);
  size_t offset = 5;
  CHECK(dispatch_data_copy_region(empty, 0, &offset) == empty);
  CHECK_EQUAL(offset, 0);
  const void *buffer = "";
  size_t size = 5;
  CHECK(dispatch_data_create_map(empty, &buffer, &size) == empty);
  CHECK(buffer == NULL);
  CHECK_EQUAL(size, 0);
  bool result = dispatch_data_apply(
      empty, ^bool(dispatch_data_t region, size_t start, const void *piece, size_t length) {
        (void)region, (void)start, (void)piece, (void)length;
        CHECK(false);
        return false;
      });
  CHECK(result);
  dispatch_data_t text = data_of("text");
  dispatch_data_t joined = dispatch_data_create_concat(empty, text);
  expect_bytes(joined, "text");
  joined = dispatch_data_create_concat(text, empty);
  dispatch_release(text);
  expect_bytes(joined, "text");
}

// A buffer is disposed of once, after the last object that refers to it.
static void data_destructors(void) {
  static char key;
  destroyed = dispatch_semaphore_create(0);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_queue_set_specific(queue, &key, "here", NULL);
  dispatch_data_t data = dispatch_data_create("bytes", 5, queue, ^{
    CHECK(dispatch_get_specific(&key) != NULL);
    note("block");
    dispatch_semaphore_signal(destroyed);
  });
  dispatch_data_t part = dispatch_data_create_subrange(data, 1, 2);
  dispatch_data_t twice = dispatch_data_create_concat(part, data);
  dispatch_release(data);
  dispatch_release(part);
  pause_for(20);
  EXPECT("");
  expect_bytes(twice, "ytbytes");
  WAIT(destroyed);
  EXPECT("block");
  // Without bytes it is disposed of at once.
  data = dispatch_data_create("", 0, queue, ^{
    note("empty");
    dispatch_semaphore_signal(destroyed);
  });
  CHECK(data == dispatch_data_empty);
  WAIT(destroyed);
  EXPECT("empty");
  char *memory = strdup("freed");
  expect_bytes(dispatch_data_create(memory, 5, queue, DISPATCH_DATA_DESTRUCTOR_FREE), "freed");
#ifndef REFERENCE
  size_t size = 4096;
  char *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(mapped, "map", 4);
  data = dispatch_data_create(mapped, size, queue, DISPATCH_DATA_DESTRUCTOR_MUNMAP);
  CHECK_EQUAL(dispatch_data_get_size(data), size);
  dispatch_release(data);
  CHECK(msync(mapped, size, MS_ASYNC) < 0 && errno == ENOMEM);
#endif
  dispatch_release(queue);
}

#ifndef REFERENCE
static bool add_length(void *context, dispatch_data_t region, size_t offset, const void *buffer,
                       size_t size) {
  CHECK(region != NULL && buffer != NULL);
  CHECK_EQUAL(offset, *(size_t *)context);
  *(size_t *)context += size;
  return true;
}
#endif

// The function forms do the same without blocks.
static void data_functions(void) {
#ifndef REFERENCE
  destroyed = dispatch_semaphore_create(0);
  dispatch_data_t data = dispatch_data_create_f("bytes", 5, global_queue(), destroy);
  dispatch_data_t copy = dispatch_data_create_f("copy", 4, NULL, NULL);
  dispatch_function_t free_function = (dispatch_function_t)DISPATCH_DATA_DESTRUCTOR_FREE;
  dispatch_data_t freed = dispatch_data_create_f(strdup("free"), 4, NULL, free_function);
  dispatch_data_t both = dispatch_data_create_concat(data, copy);
  size_t sum = 0;
  CHECK(dispatch_data_apply_f(both, &sum, add_length));
  CHECK_EQUAL(sum, 9);
  expect_bytes(both, "bytescopy");
  expect_bytes(freed, "free");
  dispatch_release(copy);
  EXPECT("");
  dispatch_release(data);
  WAIT(destroyed);
  EXPECT("bytes");
#else
  (void)destroy;
#endif
}

const struct row data_rows[] = {
    {"data_forms", data_forms},
    {"data_empty", data_empty},
    {"data_destructors", data_destructors},
    {"data_functions", data_functions},
    {NULL, NULL},
};
