// Writes to pipes and sockets that never raise SIGPIPE.

#ifndef CSYSTEM_QUIET_H
#define CSYSTEM_QUIET_H

#include "csystem_result.h"
#include "csystem_transfer.h"

/// Writes like `csys_pwritev2`, and reports a closed reader only by `EPIPE`.
csys_result csys_pwritev2_quiet(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

/// Does the same without `RWF_NOSIGNAL`, for kernels before 6.18. For a socket it uses the flag of
/// `sendmsg`. For anything else the calling thread blocks the signal and removes it if it was
/// raised.
csys_result csys_pwritev2_blocking_signal(
    int fd, const csys_vector *vectors, int count, int64_t offset, int flags);

#endif
