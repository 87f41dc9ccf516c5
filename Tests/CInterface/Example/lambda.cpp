#include <dispatch/dispatch.h>
#include <cstdio>

int main() {
  dispatch_queue_t queue = dispatch_queue_create("counter", nullptr);
  int count = 0;
  for (int index = 0; index < 100; index++) {
    dispatch_async_f(queue, &count, [](void *context) {
      *static_cast<int *>(context) += 1;
    });
  }
  dispatch_sync_f(queue, &count, [](void *context) {
    std::printf("%d\n", *static_cast<int *>(context));
  });
  dispatch_release(queue);
}
