// The functions of Grand Central Dispatch for C and C++ on Linux.
//
// The library is libgcd: -lgcd. All names and values are those of Dispatch; the symbols begin with
// gcd_. gcc has the functions whose names end with _f, and clang with -fblocks has all of them.

#ifndef GCD_DISPATCH_DISPATCH_H
#define GCD_DISPATCH_DISPATCH_H

#include <dispatch/base.h>
#include <dispatch/time.h>
#include <dispatch/object.h>
#include <dispatch/queue.h>
#include <dispatch/block.h>
#include <dispatch/source.h>
#include <dispatch/group.h>
#include <dispatch/semaphore.h>
#include <dispatch/once.h>
#include <dispatch/data.h>
#include <dispatch/io.h>
#include <dispatch/generic.h>

#endif
