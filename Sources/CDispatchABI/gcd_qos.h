// Classes of quality of service.

#ifndef GCD_QOS_H
#define GCD_QOS_H

#include "gcd_abi.h"

#define GCD_QOS_UNSPECIFIED 0x00
#define GCD_QOS_MAINTENANCE 0x05
#define GCD_QOS_BACKGROUND 0x09
#define GCD_QOS_UTILITY 0x11
#define GCD_QOS_DEFAULT 0x15
#define GCD_QOS_USER_INITIATED 0x19
#define GCD_QOS_USER_INTERACTIVE 0x21

/// Whether the values are a class and a relative priority (-15 to 0).
static inline bool gcdimpl_qos_is_valid(gcd_qos_class_t qos_class, int relative_priority) {
  if (relative_priority > 0 || relative_priority < -15) return false;
  switch (qos_class) {
  case GCD_QOS_UNSPECIFIED:
  case GCD_QOS_MAINTENANCE:
  case GCD_QOS_BACKGROUND:
  case GCD_QOS_UTILITY:
  case GCD_QOS_DEFAULT:
  case GCD_QOS_USER_INITIATED:
  case GCD_QOS_USER_INTERACTIVE:
    return true;
  default:
    return false;
  }
}

/// Returns the class that Swift knows: maintenance counts as background.
static inline gcd_qos_class_t gcdimpl_qos_known(gcd_qos_class_t qos_class) {
  return qos_class == GCD_QOS_MAINTENANCE ? GCD_QOS_BACKGROUND : qos_class;
}

#endif
