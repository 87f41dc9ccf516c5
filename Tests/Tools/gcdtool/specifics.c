#include "tool.h"

static char first_key, second_key;
static dispatch_semaphore_t destroyed;

static void destroy(void *context) {
  note("-%s", (const char *)context);
  dispatch_semaphore_signal(destroyed);
}

// Values are found by the address of the key, on the current queue and then on its targets.
static void specific_values(void) {
  dispatch_queue_t target = dispatch_queue_create("target", NULL);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_set_target_queue(queue, target);
  CHECK(dispatch_queue_get_specific(queue, &first_key) == NULL);
  dispatch_queue_set_specific(queue, &first_key, "one", NULL);
  dispatch_queue_set_specific(target, &first_key, "two", NULL);
  dispatch_queue_set_specific(target, &second_key, "three", NULL);
  CHECK(strcmp(dispatch_queue_get_specific(queue, &first_key), "one") == 0);
  // Of one queue only its own values.
  CHECK(dispatch_queue_get_specific(queue, &second_key) == NULL);
  CHECK(dispatch_get_specific(&first_key) == NULL);
  dispatch_sync(queue, ^{
    CHECK(strcmp(dispatch_get_specific(&first_key), "one") == 0);
    CHECK(strcmp(dispatch_get_specific(&second_key), "three") == 0);
    CHECK(dispatch_get_specific("other") == NULL);
  });
  dispatch_queue_set_specific(queue, &first_key, NULL, NULL);
  dispatch_sync(queue, ^{
    CHECK(strcmp(dispatch_get_specific(&first_key), "two") == 0);
  });
  dispatch_semaphore_t checked = dispatch_semaphore_create(0);
  dispatch_async(global_queue(), ^{
    CHECK(dispatch_get_specific(&first_key) == NULL);
    dispatch_semaphore_signal(checked);
  });
  WAIT(checked);
  dispatch_release(queue);
  dispatch_release(target);
}

// A destructor gets a value that is replaced, one that is removed, and the last ones of a queue.
static void specific_destructors(void) {
  destroyed = dispatch_semaphore_create(0);
  dispatch_queue_t queue = dispatch_queue_create("queue", NULL);
  dispatch_queue_set_specific(queue, &first_key, "a", destroy);
  EXPECT("");
  dispatch_queue_set_specific(queue, &first_key, "b", destroy);
  WAIT(destroyed);
  EXPECT("-a");
  dispatch_queue_set_specific(queue, &first_key, NULL, NULL);
  WAIT(destroyed);
  EXPECT("-b");
  dispatch_queue_set_specific(queue, &first_key, "c", NULL);
  dispatch_queue_set_specific(queue, &first_key, "d", destroy);
  dispatch_queue_set_specific(queue, &second_key, "e", destroy);
  dispatch_release(queue);
  WAIT(destroyed);
  WAIT(destroyed);
  char *found = take_notes();
  CHECK(strcmp(found, "-d -e") == 0 || strcmp(found, "-e -d") == 0);
  free(found);
}

const struct row specific_rows[] = {
    {"specific_values", specific_values},
    {"specific_destructors", specific_destructors},
    {NULL, NULL},
};
