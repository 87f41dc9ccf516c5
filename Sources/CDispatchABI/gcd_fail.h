// The end of a program that misuses the C interface.

#ifndef GCD_FAIL_H
#define GCD_FAIL_H

/// Writes "Fatal error: MESSAGE" to standard error and stops the program by a trap.
///
/// The message begins with the name of the C function.
_Noreturn void gcdimpl_fail(const char *_Nonnull message);

#endif
