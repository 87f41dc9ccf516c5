# Defines the imported target IOChannels::GCD, which is libgcd and its <dispatch/dispatch.h>.

if(NOT TARGET IOChannels::GCD)
  get_filename_component(_iochannels_gcd_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  add_library(IOChannels::GCD SHARED IMPORTED)
  set_target_properties(
    IOChannels::GCD
    PROPERTIES
      IMPORTED_LOCATION "${_iochannels_gcd_prefix}/lib/libgcd.so.1"
      IMPORTED_SONAME "libgcd.so.1"
      INTERFACE_INCLUDE_DIRECTORIES "${_iochannels_gcd_prefix}/include/iochannels/compat"
  )
  unset(_iochannels_gcd_prefix)
endif()
