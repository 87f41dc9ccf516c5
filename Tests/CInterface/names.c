// Uses every name of the C interface, so that the types of all declarations are checked by gcc,
// g++ and clang, and so that the object file refers to every symbol of the library. The function is
// compiled and never called.

#include <dispatch/private.h>

static void function(void *context) {
  (void)context;
}
static void iteration(void *context, size_t number) {
  (void)context;
  (void)number;
}
static bool region(void *context, dispatch_data_t data, size_t offset, const void *buffer,
                   size_t size) {
  (void)context;
  (void)data;
  return offset == 0 && buffer && size > 0;
}
static void data_handler(void *context, dispatch_data_t data, int error) {
  (void)context;
  (void)data;
  (void)error;
}
static void io_handler(void *context, bool is_done, dispatch_data_t data, int error) {
  (void)context;
  (void)is_done;
  (void)data;
  (void)error;
}
static void cleanup(void *context, int error) {
  (void)context;
  (void)error;
}

static void use(uintptr_t value) {
  (void)value;
}

static void use_objects(dispatch_queue_t queue, dispatch_group_t group, dispatch_source_t source,
                        dispatch_semaphore_t semaphore, dispatch_data_t data,
                        dispatch_io_t channel) {
  dispatch_retain(queue);
  dispatch_retain(group);
  dispatch_retain(source);
  dispatch_retain(semaphore);
  dispatch_retain(data);
  dispatch_retain(channel);
  dispatch_release(queue);
  dispatch_set_context(group, dispatch_get_context(queue));
  dispatch_set_finalizer_f(group, function);
  dispatch_activate(source);
  dispatch_suspend(source);
  dispatch_resume(source);
  dispatch_set_target_queue(source, DISPATCH_TARGET_QUEUE_DEFAULT);
  dispatch_set_qos_class_floor(queue, QOS_CLASS_UTILITY, QOS_MIN_RELATIVE_PRIORITY);
  dispatch_debug(queue, "%d of %s", 1, "two");
}

static void use_debug(dispatch_queue_t queue, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  dispatch_debugv(queue, format, arguments);
  va_end(arguments);
}

static dispatch_queue_t use_queues(dispatch_queue_t queue) {
  static char key[1];
  dispatch_async_f(queue, NULL, function);
  dispatch_sync_f(queue, NULL, function);
  dispatch_async_and_wait_f(queue, NULL, function);
  dispatch_barrier_async_f(queue, NULL, function);
  dispatch_barrier_sync_f(queue, NULL, function);
  dispatch_barrier_async_and_wait_f(queue, NULL, function);
  dispatch_apply_f(2, DISPATCH_APPLY_AUTO, NULL, iteration);
  dispatch_after_f(dispatch_time(DISPATCH_TIME_NOW, (int64_t)NSEC_PER_MSEC), queue, NULL,
                   function);
  dispatch_queue_set_specific(queue, key, NULL, function);
  use((uintptr_t)dispatch_queue_get_specific(queue, key));
  use((uintptr_t)dispatch_get_specific(key));
  dispatch_assert_queue(queue);
  dispatch_assert_queue_barrier(queue);
  dispatch_assert_queue_not(queue);
  dispatch_assert_queue_debug(queue);
  dispatch_queue_set_width(queue, DISPATCH_QUEUE_WIDTH_ACTIVE_CPUS);
  use((uintptr_t)dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL));
  int priority;
  use(dispatch_queue_get_qos_class(queue, &priority));
  use(dispatch_get_current_queue() == dispatch_get_main_queue());
  dispatch_queue_t other =
      dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_BACKGROUND, DISPATCH_QUEUE_OVERCOMMIT);
  dispatch_queue_attr_t attributes = DISPATCH_QUEUE_CONCURRENT_WITH_AUTORELEASE_POOL;
  attributes = dispatch_queue_attr_make_with_qos_class(attributes, QOS_CLASS_DEFAULT, 0);
  attributes = dispatch_queue_attr_make_initially_inactive(attributes);
  other = dispatch_queue_create("one", attributes);
  other = dispatch_queue_create("two", DISPATCH_QUEUE_SERIAL_INACTIVE);
  return dispatch_queue_create_with_target("three", DISPATCH_QUEUE_CONCURRENT, other);
}

static void use_waits(dispatch_queue_t queue) {
  dispatch_group_t group = dispatch_group_create();
  dispatch_group_enter(group);
  dispatch_group_leave(group);
  dispatch_group_async_f(group, queue, NULL, function);
  dispatch_group_notify_f(group, queue, NULL, function);
  use((uintptr_t)dispatch_group_wait(group, DISPATCH_TIME_FOREVER));
  dispatch_semaphore_t semaphore = dispatch_semaphore_create(1);
  use((uintptr_t)dispatch_semaphore_wait(semaphore, dispatch_walltime(NULL, 0)));
  use((uintptr_t)dispatch_semaphore_signal(semaphore));
  static dispatch_once_t predicate;
  dispatch_once_f(&predicate, NULL, function);
}

static void use_io(dispatch_queue_t queue) {
  const void *buffer;
  size_t size, offset;
  dispatch_data_t data = dispatch_data_create_f("", 1, queue, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
  data = dispatch_data_create_concat(data, dispatch_data_empty);
  data = dispatch_data_create_subrange(data, 0, dispatch_data_get_size(data));
  data = dispatch_data_create_map(data, &buffer, &size);
  data = dispatch_data_copy_region(data, 0, &offset);
  use(dispatch_data_apply_f(data, NULL, region));
  dispatch_read_f(0, SIZE_MAX, queue, NULL, data_handler);
  dispatch_write_f(1, data, queue, NULL, data_handler);
  dispatch_io_t channel = dispatch_io_create_f(DISPATCH_IO_STREAM, 0, queue, NULL, cleanup);
  channel = dispatch_io_create_with_path_f(DISPATCH_IO_RANDOM, "/", O_RDONLY, 0, queue, NULL,
                                           cleanup);
  channel = dispatch_io_create_with_io_f(DISPATCH_IO_STREAM, channel, queue, NULL, cleanup);
  dispatch_io_read_f(channel, 0, SIZE_MAX, queue, NULL, io_handler);
  dispatch_io_write_f(channel, 0, data, queue, NULL, io_handler);
  dispatch_io_barrier_f(channel, NULL, function);
  dispatch_io_set_high_water(channel, 2);
  dispatch_io_set_low_water(channel, 1);
  dispatch_io_set_interval(channel, NSEC_PER_SEC, DISPATCH_IO_STRICT_INTERVAL);
  use((uintptr_t)dispatch_io_get_descriptor(channel));
  dispatch_io_close(channel, DISPATCH_IO_STOP);
}

static void use_sources(dispatch_queue_t queue) {
  const dispatch_source_type_t types[] = {
      DISPATCH_SOURCE_TYPE_DATA_ADD,       DISPATCH_SOURCE_TYPE_DATA_OR,
      DISPATCH_SOURCE_TYPE_DATA_REPLACE,   DISPATCH_SOURCE_TYPE_MEMORYPRESSURE,
      DISPATCH_SOURCE_TYPE_PROC,           DISPATCH_SOURCE_TYPE_READ,
      DISPATCH_SOURCE_TYPE_SIGNAL,         DISPATCH_SOURCE_TYPE_TIMER,
      DISPATCH_SOURCE_TYPE_VNODE,          DISPATCH_SOURCE_TYPE_WRITE,
  };
  dispatch_source_t source = dispatch_source_create(types[0], 0, DISPATCH_TIMER_STRICT, queue);
  dispatch_source_set_event_handler_f(source, function);
  dispatch_source_set_cancel_handler_f(source, function);
  dispatch_source_set_registration_handler_f(source, function);
  dispatch_source_merge_data(source, dispatch_source_get_data(source));
  dispatch_source_set_timer(source, DISPATCH_TIME_NOW, NSEC_PER_USEC, 0);
  dispatch_source_cancel(source);
  use((uintptr_t)dispatch_source_testcancel(source));
  use(dispatch_source_get_handle(source));
  use(dispatch_source_get_mask(source));
  use(DISPATCH_MEMORYPRESSURE_NORMAL | DISPATCH_MEMORYPRESSURE_WARN |
      DISPATCH_MEMORYPRESSURE_CRITICAL);
  use(DISPATCH_PROC_EXIT | DISPATCH_PROC_FORK | DISPATCH_PROC_EXEC | DISPATCH_PROC_SIGNAL);
  use(DISPATCH_VNODE_DELETE | DISPATCH_VNODE_WRITE | DISPATCH_VNODE_EXTEND |
      DISPATCH_VNODE_ATTRIB | DISPATCH_VNODE_LINK | DISPATCH_VNODE_RENAME |
      DISPATCH_VNODE_REVOKE | DISPATCH_VNODE_FUNLOCK);
}

#if defined(__cplusplus) || defined(__clang__) || __STDC_VERSION__ >= 201112L
static void use_generic(dispatch_group_t group, dispatch_semaphore_t semaphore,
                        dispatch_source_t source) {
  use((uintptr_t)dispatch_wait(group, DISPATCH_TIME_NOW));
  use((uintptr_t)dispatch_wait(semaphore, DISPATCH_TIME_NOW));
  dispatch_cancel(source);
  use((uintptr_t)dispatch_testcancel(source));
}
#define USE_GENERIC(group, semaphore, source) use_generic(group, semaphore, source)
#else
#define USE_GENERIC(group, semaphore, source) ((void)0)
#endif

#ifdef __BLOCKS__
static void use_blocks(dispatch_queue_t queue, dispatch_group_t group, dispatch_source_t source,
                       dispatch_io_t channel, dispatch_data_t data) {
  dispatch_block_t block = dispatch_block_create(DISPATCH_BLOCK_BARRIER, ^{});
  block = dispatch_block_create_with_qos_class(DISPATCH_BLOCK_ENFORCE_QOS_CLASS,
                                               QOS_CLASS_UTILITY, -1, block);
  dispatch_block_perform(DISPATCH_BLOCK_DETACHED, block);
  dispatch_block_notify(block, queue, ^{});
  use((uintptr_t)dispatch_block_wait(block, DISPATCH_TIME_FOREVER));
  dispatch_block_cancel(block);
  use((uintptr_t)dispatch_block_testcancel(block));
  use((uintptr_t)dispatch_wait(block, DISPATCH_TIME_NOW));
  dispatch_notify(group, queue, ^{
    int one = 1, two = 2;
    use((uintptr_t)(one + two));
  });
  dispatch_notify(block, queue, ^{});
  dispatch_cancel(block);
  use((uintptr_t)dispatch_testcancel(block));
  dispatch_async(queue, block);
  dispatch_sync(queue, block);
  dispatch_async_and_wait(queue, block);
  dispatch_barrier_async(queue, block);
  dispatch_barrier_sync(queue, block);
  dispatch_barrier_async_and_wait(queue, block);
  dispatch_apply(2, queue, ^(size_t number) {
    use(number);
  });
  dispatch_after(DISPATCH_WALLTIME_NOW, queue, block);
  dispatch_group_async(group, queue, block);
  dispatch_group_notify(group, queue, block);
  static dispatch_once_t predicate;
  dispatch_once(&predicate, ^{
    int one = 1, two = 2;
    use((uintptr_t)(one + two));
  });
  data = dispatch_data_create("", 0, queue, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
  data = dispatch_data_create(data, 0, queue, DISPATCH_DATA_DESTRUCTOR_FREE);
  data = dispatch_data_create(data, 0, queue, DISPATCH_DATA_DESTRUCTOR_MUNMAP);
  dispatch_data_apply(data, ^(dispatch_data_t piece, size_t offset, const void *buffer,
                              size_t size) {
    return region(NULL, piece, offset, buffer, size);
  });
  dispatch_read(0, 1, queue, ^(dispatch_data_t read, int error) {
    data_handler(NULL, read, error);
  });
  dispatch_write(1, data, queue, ^(dispatch_data_t rest, int error) {
    data_handler(NULL, rest, error);
  });
  void (^closed)(int) = ^(int error) {
    cleanup(NULL, error);
  };
  channel = dispatch_io_create(DISPATCH_IO_STREAM, 0, queue, closed);
  channel = dispatch_io_create_with_path(DISPATCH_IO_STREAM, "/", O_RDONLY, 0, queue, closed);
  channel = dispatch_io_create_with_io(DISPATCH_IO_STREAM, channel, queue, closed);
  dispatch_io_handler_t handler = ^(bool is_done, dispatch_data_t piece, int error) {
    io_handler(NULL, is_done, piece, error);
  };
  dispatch_io_read(channel, 0, 1, queue, handler);
  dispatch_io_write(channel, 0, data, queue, handler);
  dispatch_io_barrier(channel, block);
  dispatch_source_set_event_handler(source, block);
  dispatch_source_set_cancel_handler(source, NULL);
  dispatch_source_set_registration_handler(source, block);
}
#define USE_BLOCKS(queue, group, source, channel, data)                                           \
  use_blocks(queue, group, source, channel, data)
#else
#define USE_BLOCKS(queue, group, source, channel, data) ((void)0)
#endif

void use_all(dispatch_queue_t queue, dispatch_group_t group, dispatch_source_t source,
             dispatch_semaphore_t semaphore, dispatch_data_t data, dispatch_io_t channel);
void use_all(dispatch_queue_t queue, dispatch_group_t group, dispatch_source_t source,
             dispatch_semaphore_t semaphore, dispatch_data_t data, dispatch_io_t channel) {
  use_objects(queue, group, source, semaphore, data, channel);
  use_debug(queue, "%d", 1);
  queue = use_queues(queue);
  use_waits(queue);
  use_io(queue);
  use_sources(queue);
  USE_GENERIC(group, semaphore, source);
  USE_BLOCKS(queue, group, source, channel, data);
  dispatch_main();
}
