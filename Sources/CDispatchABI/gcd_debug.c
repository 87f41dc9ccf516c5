#define _GNU_SOURCE

#include "gcd_abi.h"

#include <stdio.h>
#include <stdlib.h>

void gcd_debug(gcd_object_t object, const char *message, ...) {
  va_list arguments;
  va_start(arguments, message);
  gcd_debugv(object, message, arguments);
  va_end(arguments);
}

void gcd_debugv(gcd_object_t object, const char *message, va_list arguments) {
  char *description = gcdimpl_copy_description(object);
  char *text = NULL;
  if (vasprintf(&text, message, arguments) < 0) text = NULL;
  // One call, so that lines of several threads do not mix.
  fprintf(stderr, "%s: %s\n", description, text ? text : message);
  free(text);
  free(description);
}
