// What the other headers of this directory share: includes, macros and the link to the library.

#ifndef GCD_DISPATCH_BASE_H
#define GCD_DISPATCH_BASE_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Both libraries in one program are fine, both headers in one file are not.
#ifdef __DISPATCH_PUBLIC__
#error "This file includes the <dispatch/dispatch.h> of another library already."
#endif

/// The version of Dispatch whose names these headers have.
#define DISPATCH_API_VERSION 20180109

#ifndef OS_OBJECT_USE_OBJC
#define OS_OBJECT_USE_OBJC 0
#endif

// The declarations have the names of Dispatch, the symbols of the library begin with gcd_. So a
// program may use this library while Swift's runtime in it uses Dispatch.
#define DISPATCH_SYMBOL(name) __asm__("gcd_" #name)

#ifdef __cplusplus
#define DISPATCH_EXTERN extern "C"
#define DISPATCH_BEGIN_DECLS extern "C" {
#define DISPATCH_END_DECLS }
#else
#define DISPATCH_EXTERN extern
#define DISPATCH_BEGIN_DECLS
#define DISPATCH_END_DECLS
#endif
#define DISPATCH_EXPORT DISPATCH_EXTERN __attribute__((__visibility__("default")))
#define DISPATCH_INLINE static __inline__

#define DISPATCH_NORETURN __attribute__((__noreturn__))
#define DISPATCH_NOTHROW __attribute__((__nothrow__))
#define DISPATCH_NONNULL1 __attribute__((__nonnull__(1)))
#define DISPATCH_NONNULL2 __attribute__((__nonnull__(2)))
#define DISPATCH_NONNULL3 __attribute__((__nonnull__(3)))
#define DISPATCH_NONNULL4 __attribute__((__nonnull__(4)))
#define DISPATCH_NONNULL5 __attribute__((__nonnull__(5)))
#define DISPATCH_NONNULL6 __attribute__((__nonnull__(6)))
#define DISPATCH_NONNULL7 __attribute__((__nonnull__(7)))
#if defined(__clang__) && defined(__cplusplus)
#define DISPATCH_NONNULL_ALL
#else
#define DISPATCH_NONNULL_ALL __attribute__((__nonnull__))
#endif
#define DISPATCH_SENTINEL __attribute__((__sentinel__))
#define DISPATCH_PURE __attribute__((__pure__))
#define DISPATCH_CONST __attribute__((__const__))
#define DISPATCH_WARN_RESULT __attribute__((__warn_unused_result__))
#define DISPATCH_MALLOC __attribute__((__malloc__))
#define DISPATCH_ALWAYS_INLINE __attribute__((__always_inline__))
#define DISPATCH_COLD __attribute__((__cold__))
#ifdef __clang__
#define DISPATCH_UNAVAILABLE __attribute__((__unavailable__))
#define DISPATCH_UNAVAILABLE_MSG(message) __attribute__((__unavailable__(message)))
#define DISPATCH_NOESCAPE __attribute__((__noescape__))
#define DISPATCH_NOT_TAIL_CALLED __attribute__((__not_tail_called__))
#define DISPATCH_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define DISPATCH_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
// The pedantic mode of clang warns of the words for null pointers.
#define DISPATCH_BEGIN_HEADER                                                                     \
  _Pragma("clang diagnostic push")                                                                \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")                                 \
  DISPATCH_ASSUME_NONNULL_BEGIN
#define DISPATCH_END_HEADER DISPATCH_ASSUME_NONNULL_END _Pragma("clang diagnostic pop")
#else
#define DISPATCH_UNAVAILABLE
#define DISPATCH_UNAVAILABLE_MSG(message)
#define DISPATCH_NOESCAPE
#define DISPATCH_NOT_TAIL_CALLED
#define DISPATCH_ASSUME_NONNULL_BEGIN
#define DISPATCH_ASSUME_NONNULL_END
#define DISPATCH_BEGIN_HEADER
#define DISPATCH_END_HEADER
#ifndef _Nullable
#define _Nullable
#endif
#ifndef _Nonnull
#define _Nonnull
#endif
#ifndef _Null_unspecified
#define _Null_unspecified
#endif
#endif

#ifdef __cplusplus
#define DISPATCH_FALLTHROUGH
#else
#define DISPATCH_FALLTHROUGH __attribute__((__fallthrough__))
#endif
#define DISPATCH_COMPILER_CAN_ASSUME(expression) ((void)(expression))
#define DISPATCH_SWIFT_NAME(name)
#define DISPATCH_SWIFT3_UNAVAILABLE(message)
#define DISPATCH_SWIFT3_OVERLAY
#define DISPATCH_REFINED_FOR_SWIFT
#define DISPATCH_SWIFT_UNAVAILABLE(message)
#define DISPATCH_LINUX_UNAVAILABLE()
#define DISPATCH_FREEBSD_UNAVAILABLE()
#define DISPATCH_RETURNS_RETAINED
#define DISPATCH_RETURNS_RETAINED_BLOCK
#define DISPATCH_EXPECT(value, expected) __builtin_expect((value), (expected))
#define dispatch_compiler_barrier() __asm__ __volatile__("" ::: "memory")

#define DISPATCH_ENUM(name, type, ...)                                                            \
  enum { __VA_ARGS__ };                                                                           \
  typedef type name##_t
#define DISPATCH_OPTIONS(name, type, ...) DISPATCH_ENUM(name, type, __VA_ARGS__)

#ifdef __cplusplus
#define DISPATCH_TRANSPARENT_UNION
#else
#define DISPATCH_TRANSPARENT_UNION __attribute__((__transparent_union__))
#endif

DISPATCH_BEGIN_HEADER

/// A function that a queue calls with a context.
typedef void (*dispatch_function_t)(void *_Nullable context);

#ifdef __BLOCKS__
/// A block that a queue runs.
typedef void (^dispatch_block_t)(void);
#endif

DISPATCH_END_HEADER

#endif
