// What queues, groups, semaphores, sources, channels and data have in common.

#ifndef GCD_DISPATCH_OBJECT_H
#define GCD_DISPATCH_OBJECT_H

#include <dispatch/base.h>
#include <dispatch/time.h>

DISPATCH_BEGIN_HEADER

#ifdef __cplusplus

/// An object: a pointer to each kind of object converts to it.
typedef struct dispatch_object_s {
private:
  dispatch_object_s();
  ~dispatch_object_s();
  dispatch_object_s(const dispatch_object_s &);
  void operator=(const dispatch_object_s &);
} *dispatch_object_t;

#define DISPATCH_DECL(name)                                                                       \
  typedef struct name##_s : public dispatch_object_s {                                            \
  } *name##_t
#define DISPATCH_DECL_SUBCLASS(name, base)                                                        \
  typedef struct name##_s : public base##_s {                                                     \
  } *name##_t
#define DISPATCH_GLOBAL_OBJECT(type, object) (static_cast<type>(&(object)))

#else

/// An object: a parameter of this type takes a pointer to each kind of object.
typedef union {
  struct dispatch_object_s *_Null_unspecified _do;
  struct dispatch_queue_s *_Null_unspecified _dq;
  struct dispatch_queue_attr_s *_Null_unspecified _dqa;
  struct dispatch_group_s *_Null_unspecified _dg;
  struct dispatch_source_s *_Null_unspecified _ds;
  struct dispatch_semaphore_s *_Null_unspecified _dsema;
  struct dispatch_data_s *_Null_unspecified _ddata;
  struct dispatch_io_s *_Null_unspecified _dchannel;
} dispatch_object_t DISPATCH_TRANSPARENT_UNION;

#define DISPATCH_DECL(name) typedef struct name##_s *name##_t
#define DISPATCH_DECL_SUBCLASS(name, base) typedef base##_t name##_t
#define DISPATCH_GLOBAL_OBJECT(type, object) ((type)&(object))

#endif

#define DISPATCH_SOURCE_DECL(name) DISPATCH_DECL(name)
#define DISPATCH_DATA_DECL(name) DISPATCH_DECL(name)

// Declared here, as functions of several headers take them.
DISPATCH_DECL(dispatch_queue);
DISPATCH_DECL(dispatch_group);
DISPATCH_DECL(dispatch_semaphore);
DISPATCH_SOURCE_DECL(dispatch_source);

DISPATCH_BEGIN_DECLS

/// Adds a reference to an object. Global queues and the main queue ignore it.
DISPATCH_EXPORT void dispatch_retain(dispatch_object_t object)
    DISPATCH_SYMBOL(retain) DISPATCH_NOTHROW;

/// Takes a reference off an object, which is freed after the last one.
DISPATCH_EXPORT void dispatch_release(dispatch_object_t object)
    DISPATCH_SYMBOL(release) DISPATCH_NOTHROW;

/// Returns the context of an object, NULL at first.
DISPATCH_EXPORT DISPATCH_WARN_RESULT void *_Nullable dispatch_get_context(
    dispatch_object_t object) DISPATCH_SYMBOL(get_context) DISPATCH_NOTHROW;

/// Attaches a context to an object.
DISPATCH_EXPORT void dispatch_set_context(dispatch_object_t object, void *_Nullable context)
    DISPATCH_SYMBOL(set_context) DISPATCH_NOTHROW;

/// Sets the function that gets the context after the last release of an object.
///
/// It runs on the target queue of the object, and only if the context is not NULL.
DISPATCH_EXPORT void dispatch_set_finalizer_f(dispatch_object_t object,
                                              dispatch_function_t _Nullable finalizer)
    DISPATCH_SYMBOL(set_finalizer_f) DISPATCH_NOTHROW;

/// Activates a source or a queue that was created inactive.
DISPATCH_EXPORT void dispatch_activate(dispatch_object_t object)
    DISPATCH_SYMBOL(activate) DISPATCH_NOTHROW;

/// Suspends a queue or a source; work that has started goes on.
DISPATCH_EXPORT void dispatch_suspend(dispatch_object_t object)
    DISPATCH_SYMBOL(suspend) DISPATCH_NOTHROW;

/// Ends one suspension of a queue or a source.
///
/// It also activates an inactive source.
DISPATCH_EXPORT void dispatch_resume(dispatch_object_t object)
    DISPATCH_SYMBOL(resume) DISPATCH_NOTHROW;

/// Sets the queue that runs the work of a queue, a source or a channel, and the finalizer of any
/// object. NULL is the default.
DISPATCH_EXPORT void dispatch_set_target_queue(dispatch_object_t object,
                                               dispatch_queue_t _Nullable queue)
    DISPATCH_SYMBOL(set_target_queue) DISPATCH_NOTHROW;

/// Ignored; kept for source compatibility with Dispatch.
DISPATCH_EXPORT void dispatch_set_qos_class_floor(dispatch_object_t object,
                                                  unsigned int qos_class, int relative_priority)
    DISPATCH_SYMBOL(set_qos_class_floor) DISPATCH_NOTHROW;

/// Writes a description of an object and a message to standard error.
DISPATCH_EXPORT void dispatch_debug(dispatch_object_t object, const char *message, ...)
    DISPATCH_SYMBOL(debug) DISPATCH_NOTHROW DISPATCH_COLD
    __attribute__((__format__(printf, 2, 3)));

/// Writes a description of an object and a message to standard error.
DISPATCH_EXPORT void dispatch_debugv(dispatch_object_t object, const char *message,
                                     va_list arguments)
    DISPATCH_SYMBOL(debugv) DISPATCH_NOTHROW DISPATCH_COLD
    __attribute__((__format__(printf, 2, 0)));

DISPATCH_END_DECLS
DISPATCH_END_HEADER

#endif
