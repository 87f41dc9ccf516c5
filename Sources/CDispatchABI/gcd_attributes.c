#include "gcd_abi.h"
#include "gcd_qos.h"

// Attributes of queues are numbers (GCD_ATTR_...), so these functions only compute.

static gcd_queue_attr_t with(gcd_queue_attr_t attributes, uintptr_t mask, uintptr_t bits) {
  return (gcd_queue_attr_t)(((uintptr_t)attributes & ~mask) | bits);
}

gcd_queue_attr_t gcd_queue_attr_make_initially_inactive(gcd_queue_attr_t attributes) {
  return with(attributes, GCD_ATTR_INACTIVE, GCD_ATTR_INACTIVE);
}

gcd_queue_attr_t gcd_queue_attr_make_with_autorelease_frequency(gcd_queue_attr_t attributes,
                                                                unsigned long frequency) {
  if (frequency > 2) return attributes;
  return with(attributes, GCD_ATTR_FREQUENCY_MASK, frequency << GCD_ATTR_FREQUENCY_SHIFT);
}

gcd_queue_attr_t gcd_queue_attr_make_with_qos_class(gcd_queue_attr_t attributes,
                                                    gcd_qos_class_t qos_class,
                                                    int relative_priority) {
  if (!gcdimpl_qos_is_valid(qos_class, relative_priority)) return attributes;
  uintptr_t relative = (uintptr_t)-relative_priority;
  return with(attributes, GCD_ATTR_QOS_MASK | GCD_ATTR_RELATIVE_MASK,
              ((uintptr_t)gcdimpl_qos_known(qos_class) << GCD_ATTR_QOS_SHIFT) |
                  (relative << GCD_ATTR_RELATIVE_SHIFT));
}
