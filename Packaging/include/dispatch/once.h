// Work that runs once.

#ifndef GCD_DISPATCH_ONCE_H
#define GCD_DISPATCH_ONCE_H

#include <dispatch/base.h>

DISPATCH_BEGIN_HEADER
DISPATCH_BEGIN_DECLS

/// A global or static variable, 0 at first.
typedef intptr_t dispatch_once_t;

/// Calls a function if this is the first call with the predicate; other calls return when it has
/// returned.
DISPATCH_EXPORT void dispatch_once_f(dispatch_once_t *predicate, void *_Nullable context,
                                     dispatch_function_t function)
    DISPATCH_SYMBOL(once_f) DISPATCH_NONNULL1 DISPATCH_NONNULL3;

#ifdef __BLOCKS__
/// Runs a block if this is the first call with the predicate; other calls return when it has run.
DISPATCH_EXPORT void dispatch_once(dispatch_once_t *predicate,
                                   DISPATCH_NOESCAPE dispatch_block_t block)
    DISPATCH_SYMBOL(once);
#endif

// Every call but the first few costs one load and a comparison.

/// Whether the work of a predicate has run.
DISPATCH_INLINE DISPATCH_ALWAYS_INLINE bool gcd_once_is_done(dispatch_once_t *predicate) {
  return DISPATCH_EXPECT(__atomic_load_n(predicate, __ATOMIC_ACQUIRE) == ~(dispatch_once_t)0, 1);
}

DISPATCH_INLINE DISPATCH_ALWAYS_INLINE void gcd_once_f_inline(dispatch_once_t *predicate,
                                                              void *_Nullable context,
                                                              dispatch_function_t function) {
  if (!gcd_once_is_done(predicate)) dispatch_once_f(predicate, context, function);
}
#define dispatch_once_f gcd_once_f_inline

#ifdef __BLOCKS__
DISPATCH_INLINE DISPATCH_ALWAYS_INLINE void gcd_once_inline(
    dispatch_once_t *predicate, DISPATCH_NOESCAPE dispatch_block_t block) {
  if (!gcd_once_is_done(predicate)) dispatch_once(predicate, block);
}
#define dispatch_once gcd_once_inline
#endif

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
