#include "csystem_answer.h"
#include "csystem_ring.h"

#include <linux/io_uring.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

csys_result csys_ring_enable(int ring) {
  return csys_answer(syscall(SYS_io_uring_register, ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0));
}
