#include "gcd_abi.h"

const struct gcd_data_s gcd_data_empty = {0};

gcd_data_t gcdimpl_data_empty(void) {
  return (gcd_data_t)&gcd_data_empty;
}

const struct gcd_source_type_s
    gcd_source_type_data_add = {GCD_SOURCE_DATA_ADD},
    gcd_source_type_data_or = {GCD_SOURCE_DATA_OR},
    gcd_source_type_data_replace = {GCD_SOURCE_DATA_REPLACE},
    gcd_source_type_memorypressure = {GCD_SOURCE_MEMORYPRESSURE},
    gcd_source_type_proc = {GCD_SOURCE_PROC},
    gcd_source_type_read = {GCD_SOURCE_READ},
    gcd_source_type_signal = {GCD_SOURCE_SIGNAL},
    gcd_source_type_timer = {GCD_SOURCE_TIMER},
    gcd_source_type_vnode = {GCD_SOURCE_VNODE},
    gcd_source_type_write = {GCD_SOURCE_WRITE};
