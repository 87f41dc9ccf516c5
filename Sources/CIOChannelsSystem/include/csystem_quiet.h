// Writes to pipes and sockets that never raise SIGPIPE.

#ifndef CSYSTEM_QUIET_H
#define CSYSTEM_QUIET_H

#include "csystem_result.h"
#include "csystem_transfer.h"

/// Writes as `csys_pwritev2` does, and reports a lost reader only by `EPIPE`.
csys_result csys_pwritev2_quiet(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

/// Does the same without `RWF_NOSIGNAL`, for kernels before 6.18: a socket is told by a flag of its
/// own, and for anything else the calling thread blocks the signal and takes it back.
csys_result csys_pwritev2_blocking_signal(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

#endif
