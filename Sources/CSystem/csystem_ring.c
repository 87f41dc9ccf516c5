#include "csystem_answer.h"
#include "csystem_ring.h"

#include <linux/io_uring.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

csys_result csys_ring_enter(
    int ring, const uint32_t *head, uint32_t *tail, uint32_t prepared, uint32_t wanted,
    uint32_t flags) {
  // The kernel must see the entries before it sees that they are there.
  __atomic_store_n(tail, prepared, __ATOMIC_RELEASE);
  uint32_t count = prepared - __atomic_load_n(head, __ATOMIC_ACQUIRE);
  return csys_answer(syscall(SYS_io_uring_enter, ring, count, wanted, flags, NULL, 0));
}

csys_result csys_ring_enable(int ring) {
  return csys_answer(syscall(SYS_io_uring_register, ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0));
}
