// What liburing 2.3 lacks.

#ifndef CSYSTEM_RING_H
#define CSYSTEM_RING_H

#include "csystem_result.h"

/// Lets the calling thread use a ring that was made disabled; the library's own call has no symbol.
csys_result csys_ring_enable(int ring);

#endif
