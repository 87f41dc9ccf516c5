#include <dispatch/dispatch.h>
#include <stdio.h>

int main(void) {
  dispatch_queue_t queue = dispatch_queue_create("counter", NULL);
  __block int count = 0;
  dispatch_apply(100, DISPATCH_APPLY_AUTO, ^(size_t index) {
    dispatch_async(queue, ^{
      count += (int)index;
    });
  });
  dispatch_sync(queue, ^{
    printf("%d\n", count);
  });
  dispatch_release(queue);
  return 0;
}
