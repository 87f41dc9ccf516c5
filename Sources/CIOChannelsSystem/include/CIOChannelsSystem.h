// Calls and constants of Linux that Swift's Glibc module or liburing 2.3 hide.
//
// Every function has the prefix `csys_` and makes at most one system call. It returns a
// `csys_result` with the value or the error number, which it reads from `errno` before other code
// can change it. The functions of csystem_quiet.h make several calls if they must.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include "csystem_access.h"
#include "csystem_attributes.h"
#include "csystem_clock.h"
#include "csystem_dispatch.h"
#include "csystem_file.h"
#include "csystem_interruption.h"
#include "csystem_memory.h"
#include "csystem_notification.h"
#include "csystem_observation.h"
#include "csystem_port.h"
#include "csystem_process.h"
#include "csystem_quiet.h"
#include "csystem_readiness.h"
#include "csystem_result.h"
#include "csystem_ring.h"
#include "csystem_signal.h"
#include "csystem_signal_table.h"
#include "csystem_space.h"
#include "csystem_task.h"
#include "csystem_thread.h"
#include "csystem_transfer.h"

#endif
