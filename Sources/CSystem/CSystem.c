#include "CSystem.h"

// Everything in this target is `static inline` in its headers; this file exists because a C target
// needs one, and it checks that each header compiles by itself.
