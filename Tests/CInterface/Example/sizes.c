// Prints the number of bytes in each file, all of which are read at once.

#include <dispatch/dispatch.h>
#include <stdio.h>
#include <stdlib.h>

struct file {
  const char *path;
  dispatch_group_t group;
  size_t size;
  int error;
};

static void received(void *context, bool is_done, dispatch_data_t data, int error) {
  struct file *file = (struct file *)context;
  if (data) file->size += dispatch_data_get_size(data);
  if (error) file->error = error;
  if (is_done) dispatch_group_leave(file->group);
}

int main(int count, char **arguments) {
  dispatch_queue_t queue = dispatch_queue_create("handlers", DISPATCH_QUEUE_SERIAL);
  dispatch_group_t group = dispatch_group_create();
  struct file *files = (struct file *)calloc((size_t)count, sizeof *files);
  for (int index = 1; index < count; index++) {
    struct file *file = &files[index];
    file->path = arguments[index];
    file->group = group;
    dispatch_io_t channel = dispatch_io_create_with_path_f(
        DISPATCH_IO_STREAM, file->path, O_RDONLY, 0, queue, NULL, NULL);
    if (!channel) continue;
    dispatch_group_enter(group);
    dispatch_io_read_f(channel, 0, SIZE_MAX, queue, file, received);
    dispatch_release(channel);
  }
  dispatch_group_wait(group, DISPATCH_TIME_FOREVER);
  for (int index = 1; index < count; index++)
    printf("%zu %d %s\n", files[index].size, files[index].error, files[index].path);
  dispatch_release(group);
  dispatch_release(queue);
  free(files);
  return 0;
}
