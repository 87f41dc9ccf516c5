#include "csystem_answer.h"
#include "csystem_access.h"

#include <fcntl.h>
#include <unistd.h>

csys_result csys_may_write(int directory, const char *name) {
  return csys_answer(faccessat(directory, name, W_OK, AT_EACCESS));
}
