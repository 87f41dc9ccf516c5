#include "csystem_answer.h"
#include "csystem_access.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

csys_result csys_may_write(int directory, const char *name) {
  return csys_answer(faccessat(directory, name, W_OK, AT_EACCESS));
}

csys_result csys_overrides_permissions(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
  if (syscall(SYS_capget, &header, data) < 0) return csys_answer(-1);
  return csys_answer(data[0].effective >> CAP_DAC_OVERRIDE & 1);
}
