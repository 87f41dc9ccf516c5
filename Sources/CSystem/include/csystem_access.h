// Who may do what with a file: access lists (POSIX ACLs), and questions about rights.

#ifndef CSYSTEM_ACCESS_H
#define CSYSTEM_ACCESS_H

#include "csystem_result.h"

/// The permission bits that the default list of a directory leaves to what is made in it, or
/// `ENODATA` without such a list. Works on descriptors of `O_PATH` too; needs `/proc`.
csys_result csys_default_access(int directory);

/// Removes the list of an open file; its mode stays.
csys_result csys_remove_access_list(int fd);

/// Works on descriptors of `O_PATH` too, except on a symbolic link's; needs `/proc`.
csys_result csys_handle_remove_access_list(int fd);

/// Removes the list that new files in an open directory get.
csys_result csys_remove_default_access_list(int directory);

/// Whether the process, as the user that it acts for, may write to what has a name.
csys_result csys_may_write(int directory, const char *name);

#endif
