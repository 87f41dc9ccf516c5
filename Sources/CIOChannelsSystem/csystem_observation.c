#include "csystem_answer.h"
#include "csystem_observation.h"

#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Headers before Linux 6.13 lack the structure, and those before 6.15 its status.
struct csys_process_information {
  uint64_t mask;
  uint64_t control_group;
  uint32_t numbers[3];
  uint32_t owners[8];
  int32_t status;
};

_Static_assert(sizeof(struct csys_process_information) == 64, "the first published size");

enum { information_has_status = 1 << 3 };

#define CSYS_PROCESS_INFORMATION _IOWR(0xff, 11, struct csys_process_information)

// P_PIDFD is an enumerator in newer headers and missing in older ones.
enum { waits_for_descriptor = 3 };

csys_result csys_process_open(int32_t process) {
  return csys_answer(syscall(SYS_pidfd_open, process, 0u));
}

csys_result csys_child_status(int fd) {
  siginfo_t end = {0};
  int options = WEXITED | WNOHANG | WNOWAIT | __WALL;
  if (waitid((idtype_t)waits_for_descriptor, (id_t)fd, &end, options) < 0) return csys_answer(-1);
  csys_result result = {0, 0};
  if (end.si_pid == 0) {
    result.error = EAGAIN;
  } else if (end.si_code == CLD_EXITED) {
    result.value = (end.si_status & 0xff) << 8;
  } else {
    result.value = (end.si_status & 0x7f) | (end.si_code == CLD_DUMPED ? 0x80 : 0);
  }
  return result;
}

csys_result csys_ended_status(int fd) {
  struct csys_process_information information = {.mask = information_has_status};
  if (ioctl(fd, CSYS_PROCESS_INFORMATION, &information) < 0) return csys_answer(-1);
  csys_result result = {information.status, 0};
  if ((information.mask & information_has_status) == 0) {
    result.value = 0;
    result.error = ENODATA;
  }
  return result;
}

csys_result csys_connector_open(void) {
  int type = SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  return csys_answer(socket(AF_NETLINK, type, NETLINK_CONNECTOR));
}

csys_result csys_connector_bind(int fd) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
  return csys_answer(bind(fd, (struct sockaddr *)&address, sizeof address));
}

csys_result csys_connector_room(int fd, int32_t bytes) {
  return csys_answer(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes));
}

csys_result csys_connector_filter(int fd, const uint64_t *instructions, size_t count) {
  struct sock_filter program[256];
  csys_result refusal = {0, EINVAL};
  if (count > sizeof program / sizeof *program) return refusal;
  for (size_t index = 0; index < count; index += 1) {
    uint64_t bits = instructions[index];
    struct sock_filter instruction = {
        .code = (uint16_t)bits,
        .jt = (uint8_t)(bits >> 16),
        .jf = (uint8_t)(bits >> 24),
        .k = (uint32_t)(bits >> 32),
    };
    program[index] = instruction;
  }
  struct sock_fprog filter = {.len = (unsigned short)count, .filter = program};
  return csys_answer(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter));
}

csys_result csys_connector_receive(int fd, void *bytes, size_t size) {
  struct sockaddr_nl sender = {0};
  socklen_t length = sizeof sender;
  ssize_t count = recvfrom(fd, bytes, size, 0, (struct sockaddr *)&sender, &length);
  if (count < 0) return csys_answer(-1);
  csys_result result = {sender.nl_pid == 0 ? count : 0, 0};
  return result;
}
