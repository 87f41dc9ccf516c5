// Access rights.

#ifndef CSYSTEM_ACCESS_H
#define CSYSTEM_ACCESS_H

#include "csystem_result.h"

/// Whether the effective user of the process may write to the file of a name.
csys_result csys_may_write(int directory, const char *name);

/// Whether the process may write to files regardless of their permissions (`CAP_DAC_OVERRIDE`).
csys_result csys_overrides_permissions(void);

#endif
