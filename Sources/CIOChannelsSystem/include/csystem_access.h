// Questions about rights.

#ifndef CSYSTEM_ACCESS_H
#define CSYSTEM_ACCESS_H

#include "csystem_result.h"

/// Whether the process, as the user that it acts for, may write to what has a name.
csys_result csys_may_write(int directory, const char *name);

#endif
