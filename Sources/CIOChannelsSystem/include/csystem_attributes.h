// Extended attributes, access lists among them.
//
// With `is_handle` a descriptor may be one of `O_PATH`, that of a symbolic link too, which needs
// `/proc`; without, it is that of an open file.

#ifndef CSYSTEM_ATTRIBUTES_H
#define CSYSTEM_ATTRIBUTES_H

#include "csystem_result.h"

#include <stddef.h>

/// The names, each with a zero behind it; without room, how much room they need.
csys_result csys_attribute_names(int fd, int is_handle, char *names, size_t count);

/// The value of an attribute; without room, its length.
csys_result csys_attribute(int fd, int is_handle, const char *name, void *bytes, size_t count);

csys_result csys_set_attribute(
    int fd, int is_handle, const char *name, const void *bytes, size_t count);

csys_result csys_remove_attribute(int fd, int is_handle, const char *name);

#endif
