#include "csystem_answer.h"
#include "csystem_access.h"

#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char access_list[] = "system.posix_acl_access";
static const char default_list[] = "system.posix_acl_default";

// How the kernel shows a list: a version, then entries, in little-endian order.
struct csys_access_entry {
  uint16_t tag, permissions;
  uint32_t who;
};

enum { CSYS_OWNER = 0x01, CSYS_GROUP = 0x04, CSYS_MASK = 0x10, CSYS_OTHER = 0x20 };

csys_result csys_default_access(int directory) {
  char path[32];
  char list[8192];
  snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
  csys_result result = csys_answer(getxattr(path, default_list, list, sizeof list));
  if (result.error == ERANGE) {
    // A list that long is not read; its owner's bits are the most that is certain.
    csys_result narrow = {0700, 0};
    return narrow;
  }
  if (result.error != 0) return result;
  uint32_t owner = 0, group = 0, mask = 0, other = 0;
  int has_mask = 0;
  for (int64_t at = 4; at + (int64_t)sizeof(struct csys_access_entry) <= result.value;
       at += sizeof(struct csys_access_entry)) {
    struct csys_access_entry entry;
    memcpy(&entry, list + at, sizeof entry);
    uint32_t permissions = le16toh(entry.permissions) & 7u;
    switch (le16toh(entry.tag)) {
    case CSYS_OWNER: owner = permissions; break;
    case CSYS_GROUP: group = permissions; break;
    case CSYS_MASK: mask = permissions, has_mask = 1; break;
    case CSYS_OTHER: other = permissions; break;
    default: break;
    }
  }
  result.value = owner << 6 | (has_mask ? mask : group) << 3 | other;
  return result;
}

csys_result csys_remove_access_list(int fd) {
  return csys_answer(fremovexattr(fd, access_list));
}

csys_result csys_handle_remove_access_list(int fd) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return csys_answer(removexattr(path, access_list));
}

csys_result csys_remove_default_access_list(int directory) {
  return csys_answer(fremovexattr(directory, default_list));
}

csys_result csys_may_write(int directory, const char *name) {
  return csys_answer(faccessat(directory, name, W_OK, AT_EACCESS));
}
