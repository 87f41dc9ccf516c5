// The kernel's reports of changes of files (inotify).

#ifndef CSYSTEM_NOTIFICATION_H
#define CSYSTEM_NOTIFICATION_H

#include "csystem_result.h"

extern const uint32_t
    CSYS_IN_MODIFY,
    CSYS_IN_ATTRIB,
    CSYS_IN_MOVED_FROM,
    CSYS_IN_MOVED_TO,
    CSYS_IN_CREATE,
    CSYS_IN_DELETE,
    CSYS_IN_DELETE_SELF,
    CSYS_IN_MOVE_SELF,
    CSYS_IN_UNMOUNT,
    CSYS_IN_Q_OVERFLOW,
    CSYS_IN_IGNORED,
    CSYS_IN_ISDIR,
    CSYS_IN_MASK_ADD;

/// Creates an instance whose reads do not block and which `exec` closes.
csys_result csys_inotify_create(void);

/// Watches the file of a descriptor, through `/proc`; returns the number of the watch.
csys_result csys_inotify_add(int instance, int fd, uint32_t mask);

csys_result csys_inotify_remove(int instance, int watch);

#endif
