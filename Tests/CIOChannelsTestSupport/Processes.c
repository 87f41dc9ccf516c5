#define _GNU_SOURCE 1

#include "Processes.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void ct_ignore_signal(int signal_number) { signal(signal_number, SIG_IGN); }

void ct_end_thread(void) { pthread_exit(NULL); }

int ct_probe_kept_status(void) {
  // The structure of PIDFD_GET_INFO in its first size, of which the first number is the mask.
  uint64_t information[8] = {1 << 3};
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) _exit(0);
  int fd = (int)syscall(SYS_pidfd_open, child, 0u);
  int error = fd < 0 ? -errno : 0;
  waitpid(child, NULL, 0);
  if (fd < 0) return error;
  if (ioctl(fd, _IOWR(0xff, 11, uint64_t[8]), information) < 0) error = -errno;
  close(fd);
  return error != 0 ? error : (information[0] & 1 << 3) != 0 ? 0 : -ENODATA;
}

int ct_probe_connector(void) {
  struct {
    struct nlmsghdr header;
    uint32_t connector[5];
    uint32_t operation;
  } request = {
      .header = {.nlmsg_len = sizeof request, .nlmsg_type = NLMSG_DONE},
      .connector = {CN_IDX_PROC, CN_VAL_PROC, 0, 0, sizeof request.operation},
      .operation = PROC_CN_MCAST_LISTEN,
  };
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
  int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
  if (fd < 0) return -errno;
  char answer[512];
  int error = 0;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0
      || send(fd, &request, sizeof request, 0) < 0 || recv(fd, answer, sizeof answer, 0) < 0) {
    error = -errno;
  }
  request.operation = PROC_CN_MCAST_IGNORE;
  (void)!send(fd, &request, sizeof request, 0);
  close(fd);
  return error;
}

int ct_has_ended(int child) {
  siginfo_t end = {0};
  if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) < 0) return errno == ECHILD;
  return end.si_pid != 0;
}

void ct_kill_and_wait(int child) {
  siginfo_t end = {0};
  // The number of a child that was waited for may be that of another process by now.
  if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) < 0) return;
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}
