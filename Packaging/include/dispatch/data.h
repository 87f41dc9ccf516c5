// Immutable bytes in one or several regions of memory.

#ifndef GCD_DISPATCH_DATA_H
#define GCD_DISPATCH_DATA_H

#include <dispatch/base.h>
#include <dispatch/object.h>
#include <dispatch/queue.h>

DISPATCH_BEGIN_HEADER

DISPATCH_DATA_DECL(dispatch_data);

DISPATCH_BEGIN_DECLS

/// The object without bytes.
#define dispatch_data_empty DISPATCH_GLOBAL_OBJECT(dispatch_data_t, _dispatch_data_empty)
DISPATCH_EXPORT struct dispatch_data_s _dispatch_data_empty DISPATCH_SYMBOL(data_empty);

/// The destructor of a buffer that is copied.
#define DISPATCH_DATA_DESTRUCTOR_DEFAULT NULL
/// The destructor of a buffer that `free` frees.
#define DISPATCH_DATA_DESTRUCTOR_FREE (_dispatch_data_destructor_free)
/// The destructor of a buffer that `munmap` unmaps.
#define DISPATCH_DATA_DESTRUCTOR_MUNMAP (_dispatch_data_destructor_munmap)
#ifdef __BLOCKS__
#define DISPATCH_DATA_DESTRUCTOR_TYPE_DECL(name)                                                  \
  DISPATCH_EXPORT const dispatch_block_t _dispatch_data_destructor_##name                         \
      DISPATCH_SYMBOL(data_destructor_##name)
#else
#define DISPATCH_DATA_DESTRUCTOR_TYPE_DECL(name)                                                  \
  DISPATCH_EXPORT const dispatch_function_t _dispatch_data_destructor_##name                      \
      DISPATCH_SYMBOL(data_destructor_##name)
#endif
DISPATCH_DATA_DESTRUCTOR_TYPE_DECL(free);
DISPATCH_DATA_DESTRUCTOR_TYPE_DECL(munmap);

/// A function that gets one region of a data object, and returns whether to go on.
typedef bool (*dispatch_data_applier_function_t)(void *_Nullable context, dispatch_data_t region,
                                                 size_t offset, const void *buffer, size_t size);

/// Creates an object from a buffer. The destructor runs on a queue and gets the buffer.
///
/// Beside functions it takes `DISPATCH_DATA_DESTRUCTOR_...`, without blocks. Dispatch has this
/// function without a public declaration.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t
dispatch_data_create_f(const void *_Nullable buffer, size_t size, dispatch_queue_t _Nullable queue,
                       dispatch_function_t _Nullable destructor)
    DISPATCH_SYMBOL(data_create_f) DISPATCH_NOTHROW;

/// Calls a function for each region in order, until it returns false, and returns the last result.
///
/// Dispatch has this function without a public declaration.
DISPATCH_EXPORT bool dispatch_data_apply_f(dispatch_data_t data, void *_Nullable context,
                                           dispatch_data_applier_function_t applier)
    DISPATCH_SYMBOL(data_apply_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

#ifdef __BLOCKS__
/// A block that gets one region of a data object, and returns whether to go on.
typedef bool (^dispatch_data_applier_t)(dispatch_data_t region, size_t offset,
                                        const void *buffer, size_t size);

/// Creates an object from a buffer. The destructor runs on a queue.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t
dispatch_data_create(const void *_Nullable buffer, size_t size, dispatch_queue_t _Nullable queue,
                     dispatch_block_t _Nullable destructor)
    DISPATCH_SYMBOL(data_create) DISPATCH_NOTHROW;

/// Calls a block for each region in order, until it returns false, and returns the last result.
DISPATCH_EXPORT bool dispatch_data_apply(dispatch_data_t data,
                                         DISPATCH_NOESCAPE dispatch_data_applier_t applier)
    DISPATCH_SYMBOL(data_apply);
#endif

/// Returns the number of bytes.
DISPATCH_EXPORT size_t dispatch_data_get_size(dispatch_data_t data)
    DISPATCH_SYMBOL(data_get_size) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Creates an object with the same bytes in one region, and stores its address and size.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t dispatch_data_create_map(
    dispatch_data_t data, const void *_Nullable *_Nullable buffer, size_t *_Nullable size)
    DISPATCH_SYMBOL(data_create_map) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Creates an object with the bytes of two others, without a copy.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t
dispatch_data_create_concat(dispatch_data_t first, dispatch_data_t second)
    DISPATCH_SYMBOL(data_create_concat) DISPATCH_NONNULL1 DISPATCH_NONNULL2 DISPATCH_NOTHROW;

/// Creates an object with a part of the bytes, without a copy. The end of the data bounds it.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t
dispatch_data_create_subrange(dispatch_data_t data, size_t offset, size_t length)
    DISPATCH_SYMBOL(data_create_subrange) DISPATCH_NONNULL1 DISPATCH_NOTHROW;

/// Returns the region with a byte, which the caller releases, and stores its start in the data.
DISPATCH_EXPORT DISPATCH_WARN_RESULT dispatch_data_t
dispatch_data_copy_region(dispatch_data_t data, size_t location, size_t *offset)
    DISPATCH_SYMBOL(data_copy_region) DISPATCH_NONNULL1 DISPATCH_NONNULL3 DISPATCH_NOTHROW;

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
