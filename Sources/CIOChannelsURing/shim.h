// <features.h> comes first: without it liburing's headers see no feature macros
// and Swift imports them incompletely.
#include <features.h>
#include <liburing.h>
#include <poll.h>
