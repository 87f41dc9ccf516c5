// The C interface of the package: the functions of Grand Central Dispatch with the prefix gcd_.
//
// Programs include <dispatch/dispatch.h> of Packaging/include, whose declarations have the names
// of Dispatch and refer to the symbols here by assembler labels. No object file of the package
// defines a symbol with the prefix dispatch: Swift's runtime finds its own functions by those
// names.
//
// Prefixes
//   gcd_       exported by libgcd.so
//   gcdimpl_   called between the C and the Swift part only, and not exported
//
// Swift implements with @c @implementation (Sources/DispatchCompatibility, a file for each part)
//   all functions of this header between "Implemented in Swift" and "Implemented in C".
//
// C implements (Sources/CDispatchABI)
//   gcd_once.c        gcd_once_f
//   gcd_debug.c       gcd_debug, gcd_debugv
//   gcd_attributes.c  gcd_queue_attr_make_...
//   gcd_constants.c   the types of sources, the empty data object
//   gcd_time.c        gcd_walltime
//   gcd_blocks.c      the block forms of queues, groups and once, which gcd_blocks.h declares
//   gcd_block_io.c    those of data, channels and sources
//   gcd_block_item.c  dispatch_block_...
//   Block forms call the function forms of this header, so that no block reaches Swift.
//
// Ownership
//   A function with "create" or "copy" in its name returns an object that the caller releases.
//   Objects that a function receives, and those that it passes to a handler, are borrowed for the
//   call. A submission retains the queue, group or item that it needs later.
//   A function pointer whose context is a block releases the block itself, in its only call or in
//   the call with done = true. Where the number of calls is not known, a release function comes
//   with the context; it is called once, after the last call.
//
// Null
//   _Nullable stands where GCD permits NULL. Misuse stops the program with a message that begins
//   with the name of the C function, such as "dispatch_group_leave: ...".

#ifndef GCD_ABI_H
#define GCD_ABI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

// Types. An object is a Swift instance, except for the empty data object of C.

typedef void *gcd_object_t;
typedef void *gcd_queue_t;
typedef void *gcd_group_t;
typedef void *gcd_semaphore_t;
typedef void *gcd_source_t;
typedef void *gcd_io_t;
typedef void *gcd_data_t;
// A WorkItem. The block that dispatch_block_create returns owns one.
typedef void *gcd_item_t;

typedef uint64_t gcd_time_t;
typedef intptr_t gcd_once_t;
typedef unsigned int gcd_qos_class_t;

typedef void (*gcd_function_t)(void *_Nullable context);
typedef void (*gcd_apply_function_t)(void *_Nullable context, size_t iteration);
typedef bool (*gcd_data_applier_function_t)(void *_Nullable context, gcd_data_t _Nonnull region,
                                            size_t offset, const void *_Nonnull buffer,
                                            size_t size);
typedef void (*gcd_io_handler_function_t)(void *_Nullable context, bool done,
                                          gcd_data_t _Nullable data, int error);
typedef void (*gcd_error_function_t)(void *_Nullable context, int error);
typedef void (*gcd_data_error_function_t)(void *_Nullable context, gcd_data_t _Nullable data,
                                          int error);

// Attributes of a new queue: a number in the place of a pointer, never dereferenced. NULL is a
// serial queue.
typedef void *gcd_queue_attr_t;
#define GCD_ATTR_CONCURRENT 0x2
#define GCD_ATTR_INACTIVE 0x4
// The autorelease frequency (0, 1, 2), which has no effect.
#define GCD_ATTR_FREQUENCY_SHIFT 4
#define GCD_ATTR_FREQUENCY_MASK 0x30
// The class of quality of service (0x00 to 0x21).
#define GCD_ATTR_QOS_SHIFT 8
#define GCD_ATTR_QOS_MASK 0xff00
// The relative priority, negated (0 to 15).
#define GCD_ATTR_RELATIVE_SHIFT 16
#define GCD_ATTR_RELATIVE_MASK 0xf0000
// Attributes are numbers of so many bits.
#define GCD_ATTR_WIDTH 20

// The kind of a source; programs refer to the constants below by address.
struct gcd_source_type_s {
  int kind;
};
typedef const struct gcd_source_type_s *gcd_source_type_t;
#define GCD_SOURCE_DATA_ADD 1
#define GCD_SOURCE_DATA_OR 2
#define GCD_SOURCE_DATA_REPLACE 3
#define GCD_SOURCE_MEMORYPRESSURE 4
#define GCD_SOURCE_PROC 5
#define GCD_SOURCE_READ 6
#define GCD_SOURCE_SIGNAL 7
#define GCD_SOURCE_TIMER 8
#define GCD_SOURCE_VNODE 9
#define GCD_SOURCE_WRITE 10

// Values of parameters, as in Dispatch.
#define GCD_TIME_FOREVER (~(gcd_time_t)0)
#define GCD_QUEUE_OVERCOMMIT 0x2 // flags of gcd_get_global_queue
#define GCD_IO_STREAM 0
#define GCD_IO_RANDOM 1
#define GCD_IO_STOP 0x1            // flags of gcd_io_close
#define GCD_IO_STRICT_INTERVAL 0x1 // flags of gcd_io_set_interval
#define GCD_TIMER_STRICT 0x1       // masks of a timer source
#define GCD_TIMER_BACKGROUND 0x2

// Kinds of destructors for gcdimpl_data_create.
#define GCD_DESTRUCTOR_COPY 0     // copies the bytes and does not keep the buffer
#define GCD_DESTRUCTOR_FREE 1     // calls free
#define GCD_DESTRUCTOR_MUNMAP 2   // calls munmap
#define GCD_DESTRUCTOR_FUNCTION 3 // submits function(context) to the queue

// Handlers for gcdimpl_source_set_handler.
#define GCD_HANDLER_EVENT 0
#define GCD_HANDLER_CANCEL 1
#define GCD_HANDLER_REGISTRATION 2

// ---------------------------------------------------------------- Implemented in Swift

// object.h: queues, groups, semaphores, sources, channels and data. Global queues and the main
// queue ignore retain, release, suspend and resume.

void gcd_retain(gcd_object_t _Nonnull object);
void gcd_release(gcd_object_t _Nonnull object);
void *_Nullable gcd_get_context(gcd_object_t _Nonnull object);
void gcd_set_context(gcd_object_t _Nonnull object, void *_Nullable context);
void gcd_set_finalizer_f(gcd_object_t _Nonnull object, gcd_function_t _Nullable finalizer);
void gcd_activate(gcd_object_t _Nonnull object);
void gcd_suspend(gcd_object_t _Nonnull object);
void gcd_resume(gcd_object_t _Nonnull object);
// queue NULL: the default target.
void gcd_set_target_queue(gcd_object_t _Nonnull object, gcd_queue_t _Nullable queue);
// Accepted, without effect.
void gcd_set_qos_class_floor(gcd_object_t _Nonnull object, gcd_qos_class_t qos_class,
                             int relative_priority);
// Returns a string that the caller frees: the kind, label and state of the object.
char *_Nonnull gcdimpl_copy_description(gcd_object_t _Nonnull object);

// queue.h

gcd_queue_t _Nonnull gcd_get_current_queue(void);
gcd_queue_t _Nonnull gcd_get_main_queue(void);
// NULL for an unknown identifier, or for flags other than 0 and GCD_QUEUE_OVERCOMMIT.
gcd_queue_t _Nullable gcd_get_global_queue(intptr_t identifier, uintptr_t flags);
gcd_queue_t _Nonnull gcd_queue_create(const char *_Nullable label,
                                      gcd_queue_attr_t _Nullable attributes);
// target NULL: the default target.
gcd_queue_t _Nonnull gcd_queue_create_with_target(const char *_Nullable label,
                                                  gcd_queue_attr_t _Nullable attributes,
                                                  gcd_queue_t _Nullable target);
// queue NULL: the current queue. The string lives as long as the queue.
const char *_Nonnull gcd_queue_get_label(gcd_queue_t _Nullable queue);
gcd_qos_class_t gcd_queue_get_qos_class(gcd_queue_t _Nonnull queue,
                                        int *_Nullable relative_priority);
void gcd_queue_set_width(gcd_queue_t _Nonnull queue, intptr_t width);
_Noreturn void gcd_main(void);

void gcd_async_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                 gcd_function_t _Nonnull work);
void gcd_sync_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                gcd_function_t _Nonnull work);
void gcd_async_and_wait_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                          gcd_function_t _Nonnull work);
void gcd_barrier_async_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                         gcd_function_t _Nonnull work);
void gcd_barrier_sync_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                        gcd_function_t _Nonnull work);
void gcd_barrier_async_and_wait_f(gcd_queue_t _Nonnull queue, void *_Nullable context,
                                  gcd_function_t _Nonnull work);
// queue NULL: DISPATCH_APPLY_AUTO.
void gcd_apply_f(size_t iterations, gcd_queue_t _Nullable queue, void *_Nullable context,
                 gcd_apply_function_t _Nonnull work);
void gcd_after_f(gcd_time_t when, gcd_queue_t _Nonnull queue, void *_Nullable context,
                 gcd_function_t _Nonnull work);

// key NULL: no effect. context NULL: removes the value.
void gcd_queue_set_specific(gcd_queue_t _Nonnull queue, const void *_Nullable key,
                            void *_Nullable context, gcd_function_t _Nullable destructor);
void *_Nullable gcd_queue_get_specific(gcd_queue_t _Nonnull queue, const void *_Nullable key);
void *_Nullable gcd_get_specific(const void *_Nullable key);

void gcd_assert_queue(gcd_queue_t _Nonnull queue);
void gcd_assert_queue_barrier(gcd_queue_t _Nonnull queue);
void gcd_assert_queue_not(gcd_queue_t _Nonnull queue);

// block.h: the items behind dispatch_block_...

// The flags are those of DISPATCH_BLOCK_..., equal to WorkItem.Flags, and were checked. The item
// calls function(context) in each run, and release(context) when it is deinitialized.
gcd_item_t _Nonnull gcdimpl_item_create(uintptr_t flags, gcd_qos_class_t qos_class,
                                        int relative_priority, void *_Nullable context,
                                        gcd_function_t _Nonnull function,
                                        gcd_function_t _Nonnull release);
void gcdimpl_item_retain(gcd_item_t _Nonnull item);
void gcdimpl_item_release(gcd_item_t _Nonnull item);
void gcdimpl_item_perform(gcd_item_t _Nonnull item);
// 0 if the item has run.
intptr_t gcdimpl_item_wait(gcd_item_t _Nonnull item, gcd_time_t timeout);
void gcdimpl_item_notify(gcd_item_t _Nonnull item, gcd_queue_t _Nonnull queue,
                         void *_Nullable context, gcd_function_t _Nonnull function);
void gcdimpl_item_notify_item(gcd_item_t _Nonnull item, gcd_queue_t _Nonnull queue,
                              gcd_item_t _Nonnull notification);
void gcdimpl_item_cancel(gcd_item_t _Nonnull item);
bool gcdimpl_item_testcancel(gcd_item_t _Nonnull item);
// Submit an item in the place of a function. barrier adds to the item's own flags.
void gcdimpl_item_async(gcd_queue_t _Nonnull queue, gcd_group_t _Nullable group,
                        gcd_item_t _Nonnull item, bool barrier);
void gcdimpl_item_sync(gcd_queue_t _Nonnull queue, gcd_item_t _Nonnull item, bool barrier);
void gcdimpl_item_async_and_wait(gcd_queue_t _Nonnull queue, gcd_item_t _Nonnull item,
                                 bool barrier);
void gcdimpl_item_after(gcd_time_t when, gcd_queue_t _Nonnull queue, gcd_item_t _Nonnull item);
void gcdimpl_item_group_notify(gcd_group_t _Nonnull group, gcd_queue_t _Nonnull queue,
                               gcd_item_t _Nonnull item);

// group.h

gcd_group_t _Nonnull gcd_group_create(void);
void gcd_group_enter(gcd_group_t _Nonnull group);
void gcd_group_leave(gcd_group_t _Nonnull group);
intptr_t gcd_group_wait(gcd_group_t _Nonnull group, gcd_time_t timeout);
void gcd_group_notify_f(gcd_group_t _Nonnull group, gcd_queue_t _Nonnull queue,
                        void *_Nullable context, gcd_function_t _Nonnull work);
void gcd_group_async_f(gcd_group_t _Nonnull group, gcd_queue_t _Nonnull queue,
                       void *_Nullable context, gcd_function_t _Nonnull work);

// semaphore.h

// NULL for a negative value.
gcd_semaphore_t _Nullable gcd_semaphore_create(intptr_t value);
intptr_t gcd_semaphore_wait(gcd_semaphore_t _Nonnull semaphore, gcd_time_t timeout);
intptr_t gcd_semaphore_signal(gcd_semaphore_t _Nonnull semaphore);

// time.h

gcd_time_t gcd_time(gcd_time_t when, int64_t delta);
// The time of the wall clock that is delta nanoseconds after a time since 1970, or after now.
gcd_time_t gcdimpl_walltime(int64_t seconds, int64_t nanoseconds, int64_t delta);
gcd_time_t gcdimpl_walltime_now(int64_t delta);
bool gcdimpl_is_forever(gcd_time_t when);

// data.h. All functions accept the empty data object, gcdimpl_data_empty().

// buffer NULL or size 0: disposes of the buffer and returns the empty object. queue NULL: the
// default global queue. The function has one call.
gcd_data_t _Nonnull gcdimpl_data_create(const void *_Nullable buffer, size_t size,
                                        gcd_queue_t _Nullable queue, int destructor,
                                        void *_Nullable context,
                                        gcd_function_t _Nullable function);
size_t gcd_data_get_size(gcd_data_t _Nonnull data);
gcd_data_t _Nonnull gcd_data_create_map(gcd_data_t _Nonnull data,
                                        const void *_Nullable *_Nullable buffer,
                                        size_t *_Nullable size);
gcd_data_t _Nonnull gcd_data_create_concat(gcd_data_t _Nonnull first,
                                           gcd_data_t _Nonnull second);
// Clamps the range to the data.
gcd_data_t _Nonnull gcd_data_create_subrange(gcd_data_t _Nonnull data, size_t offset,
                                             size_t length);
// The applier is called before the return only.
bool gcd_data_apply_f(gcd_data_t _Nonnull data, void *_Nullable context,
                      gcd_data_applier_function_t _Nonnull applier);
// offset: the start of the region in data. A location outside: the empty object, and the size.
gcd_data_t _Nonnull gcd_data_copy_region(gcd_data_t _Nonnull data, size_t location,
                                         size_t *_Nonnull offset);

// io.h. A cleanup function has exactly one call if the channel is not NULL, else none; NULL is
// none. A handler has calls until one with done = true, which is the last, and which always comes.

void gcd_read_f(int descriptor, size_t length, gcd_queue_t _Nonnull queue,
                void *_Nullable context, gcd_data_error_function_t _Nonnull handler);
void gcd_write_f(int descriptor, gcd_data_t _Nonnull data, gcd_queue_t _Nonnull queue,
                 void *_Nullable context, gcd_data_error_function_t _Nonnull handler);
gcd_io_t _Nullable gcd_io_create_f(unsigned long type, int descriptor,
                                   gcd_queue_t _Nonnull queue, void *_Nullable context,
                                   gcd_error_function_t _Nullable cleanup);
gcd_io_t _Nullable gcd_io_create_with_path_f(unsigned long type, const char *_Nonnull path,
                                             int flags, mode_t mode, gcd_queue_t _Nonnull queue,
                                             void *_Nullable context,
                                             gcd_error_function_t _Nullable cleanup);
gcd_io_t _Nullable gcd_io_create_with_io_f(unsigned long type, gcd_io_t _Nonnull channel,
                                           gcd_queue_t _Nonnull queue, void *_Nullable context,
                                           gcd_error_function_t _Nullable cleanup);
void gcd_io_read_f(gcd_io_t _Nonnull channel, off_t offset, size_t length,
                   gcd_queue_t _Nonnull queue, void *_Nullable context,
                   gcd_io_handler_function_t _Nonnull handler);
void gcd_io_write_f(gcd_io_t _Nonnull channel, off_t offset, gcd_data_t _Nonnull data,
                    gcd_queue_t _Nonnull queue, void *_Nullable context,
                    gcd_io_handler_function_t _Nonnull handler);
void gcd_io_close(gcd_io_t _Nonnull channel, unsigned long flags);
void gcd_io_barrier_f(gcd_io_t _Nonnull channel, void *_Nullable context,
                      gcd_function_t _Nonnull barrier);
// -1 if the channel is closed or has no descriptor yet.
int gcd_io_get_descriptor(gcd_io_t _Nonnull channel);
void gcd_io_set_high_water(gcd_io_t _Nonnull channel, size_t size);
void gcd_io_set_low_water(gcd_io_t _Nonnull channel, size_t size);
void gcd_io_set_interval(gcd_io_t _Nonnull channel, uint64_t interval, unsigned long flags);

// source.h

// NULL for a handle or mask that the type does not permit. queue NULL: the default global
// queue.
gcd_source_t _Nullable gcd_source_create(gcd_source_type_t _Nonnull type, uintptr_t handle,
                                         uintptr_t mask, gcd_queue_t _Nullable queue);
// Functions that are called with the source's own context. NULL removes the handler.
void gcd_source_set_event_handler_f(gcd_source_t _Nonnull source,
                                    gcd_function_t _Nullable handler);
void gcd_source_set_cancel_handler_f(gcd_source_t _Nonnull source,
                                     gcd_function_t _Nullable handler);
void gcd_source_set_registration_handler_f(gcd_source_t _Nonnull source,
                                           gcd_function_t _Nullable handler);
// A handler with a context of its own; release(context) follows when it is replaced or
// dropped.
void gcdimpl_source_set_handler(gcd_source_t _Nonnull source, int handler,
                                void *_Nullable context, gcd_function_t _Nonnull function,
                                gcd_function_t _Nonnull release);
void gcd_source_cancel(gcd_source_t _Nonnull source);
intptr_t gcd_source_testcancel(gcd_source_t _Nonnull source);
uintptr_t gcd_source_get_handle(gcd_source_t _Nonnull source);
uintptr_t gcd_source_get_mask(gcd_source_t _Nonnull source);
uintptr_t gcd_source_get_data(gcd_source_t _Nonnull source);
void gcd_source_merge_data(gcd_source_t _Nonnull source, uintptr_t value);
void gcd_source_set_timer(gcd_source_t _Nonnull source, gcd_time_t start, uint64_t interval,
                          uint64_t leeway);

// -------------------------------------------------------------------- Implemented in C

// once.h: the predicate is 0 before the first call and ~0 after its end.
void gcd_once_f(gcd_once_t *_Nonnull predicate, void *_Nullable context,
                gcd_function_t _Nonnull function);

// time.h: Swift cannot import the structure, which several modules contain.
gcd_time_t gcd_walltime(const struct timespec *_Nullable when, int64_t delta);

// object.h: writes the message and the description of the object to standard error.
void gcd_debug(gcd_object_t _Nonnull object, const char *_Nonnull message, ...)
    __attribute__((format(printf, 2, 3)));
void gcd_debugv(gcd_object_t _Nonnull object, const char *_Nonnull message, va_list arguments)
    __attribute__((format(printf, 2, 0)));

// queue.h
gcd_queue_attr_t _Nullable
gcd_queue_attr_make_initially_inactive(gcd_queue_attr_t _Nullable attributes);
gcd_queue_attr_t _Nullable
gcd_queue_attr_make_with_autorelease_frequency(gcd_queue_attr_t _Nullable attributes,
                                               unsigned long frequency);
gcd_queue_attr_t _Nullable gcd_queue_attr_make_with_qos_class(
    gcd_queue_attr_t _Nullable attributes, gcd_qos_class_t qos_class, int relative_priority);

// data.h: a destructor that is called with the buffer; NULL copies the bytes.
gcd_data_t _Nonnull gcd_data_create_f(const void *_Nullable buffer, size_t size,
                                      gcd_queue_t _Nullable queue,
                                      gcd_function_t _Nullable destructor);

// The empty data object. It is not a Swift instance; retain and release ignore it.
struct gcd_data_s {
  int reserved;
};
extern const struct gcd_data_s gcd_data_empty;
// The address of gcd_data_empty, for Swift.
gcd_data_t _Nonnull gcdimpl_data_empty(void);

// source.h
extern const struct gcd_source_type_s gcd_source_type_data_add;
extern const struct gcd_source_type_s gcd_source_type_data_or;
extern const struct gcd_source_type_s gcd_source_type_data_replace;
extern const struct gcd_source_type_s gcd_source_type_memorypressure;
extern const struct gcd_source_type_s gcd_source_type_proc;
extern const struct gcd_source_type_s gcd_source_type_read;
extern const struct gcd_source_type_s gcd_source_type_signal;
extern const struct gcd_source_type_s gcd_source_type_timer;
extern const struct gcd_source_type_s gcd_source_type_vnode;
extern const struct gcd_source_type_s gcd_source_type_write;

#ifdef __cplusplus
}
#endif

#endif
