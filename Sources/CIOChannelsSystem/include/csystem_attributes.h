// Extended attributes, including access control lists.
//
// Without `is_handle` the descriptor is that of an open file. With it the descriptor may be a
// handle (`O_PATH`), even of a symbolic link. This needs `/proc`, or the superuser and Linux 6.13;
// otherwise the answer is `EBADF`.

#ifndef CSYSTEM_ATTRIBUTES_H
#define CSYSTEM_ATTRIBUTES_H

#include "csystem_result.h"

#include <stddef.h>

/// Reads the names, each with a terminating zero; without a buffer, returns their length.
csys_result csys_attribute_names(int fd, int is_handle, char *names, size_t count);

/// Reads the value of an attribute; without a buffer, returns its length.
csys_result csys_attribute(int fd, int is_handle, const char *name, void *bytes, size_t count);

csys_result csys_set_attribute(
    int fd, int is_handle, const char *name, const void *bytes, size_t count);

csys_result csys_remove_attribute(int fd, int is_handle, const char *name);

#endif
