#include "csystem_answer.h"
#include "csystem_ring.h"

#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

csys_result csys_ring_enter(
    int ring, const uint32_t *head, uint32_t *tail, uint32_t prepared, uint32_t wanted,
    uint32_t flags, int64_t nanoseconds, uint32_t patience) {
  // The kernel must see the entries before the new tail.
  __atomic_store_n(tail, prepared, __ATOMIC_RELEASE);
  uint32_t count = prepared - __atomic_load_n(head, __ATOMIC_ACQUIRE);
  if (nanoseconds < 0 && patience == 0) {
    return csys_answer(syscall(SYS_io_uring_enter, ring, count, wanted, flags, NULL, 0));
  }
  struct __kernel_timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  // The structure is io_uring_getevents_arg, in which older headers name the minimal wait time
  // padding.
  struct {
    uint64_t mask;
    uint32_t mask_size;
    uint32_t least_microseconds;
    uint64_t time;
  } argument = {.least_microseconds = patience};
  if (nanoseconds >= 0) argument.time = (uint64_t)(uintptr_t)&time;
  return csys_answer(syscall(
      SYS_io_uring_enter, ring, count, wanted, flags | IORING_ENTER_EXT_ARG, &argument,
      sizeof argument));
}

csys_result csys_ring_enable(int ring) {
  return csys_answer(syscall(SYS_io_uring_register, ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0));
}
