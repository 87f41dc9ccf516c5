#define _GNU_SOURCE 1

#include "CIOChannelsTestSupport.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

int ct_memory_file(void) {
  int file = memfd_create("test", MFD_CLOEXEC);
  if (file < 0) return -errno;
  // The kernel does not order writes at the position of such a file: threads would write over each
  // other. Appending is ordered.
  if (fcntl(file, F_SETFL, O_APPEND) < 0) {
    int error = errno;
    close(file);
    return -error;
  }
  return file;
}

/// Builds the vector of pointers that `execve` wants; the caller frees it.
static char **vector(const char *block, size_t count) {
  char **strings = calloc(count + 1, sizeof *strings);
  if (strings == NULL) return NULL;
  for (size_t index = 0; index < count; index += 1) {
    strings[index] = (char *)block;
    block += strlen(block) + 1;
  }
  return strings;
}

/// Whether one of the changes names the same variable as `entry`.
static int is_changed(const char *entry, const char *block, size_t count) {
  for (size_t index = 0; index < count; index += 1) {
    size_t length = strcspn(block, "=");
    if (strncmp(entry, block, length) == 0 && entry[length] == '=') return 1;
    block += strlen(block) + 1;
  }
  return 0;
}

/// This program's environment with the changes; the caller frees it.
static char **changed_environment(const char *block, size_t count) {
  size_t inherited = 0;
  while (environ[inherited] != NULL) inherited += 1;
  char **strings = calloc(inherited + count + 1, sizeof *strings);
  if (strings == NULL) return NULL;
  size_t filled = 0;
  for (size_t index = 0; index < inherited; index += 1) {
    if (!is_changed(environ[index], block, count)) strings[filled++] = environ[index];
  }
  for (size_t index = 0; index < count; index += 1) {
    if (strchr(block, '=') != NULL) strings[filled++] = (char *)block;
    block += strlen(block) + 1;
  }
  return strings;
}

/// Runs in the child: never returns. `report` carries the error number of a failed start.
static void become(const ct_child *child, char **arguments, char **environment, int report) {
  // Descriptors above the three standard ones close with `execvpe`; those three lose the flag.
  const int wanted[3] = {child->input, child->output, child->errors};
  int moved[3];
  for (int index = 0; index < 3; index += 1) {
    moved[index] = fcntl(wanted[index], F_DUPFD_CLOEXEC, 3);
    if (moved[index] < 0) goto failed;
  }
  for (int index = 0; index < 3; index += 1) {
    if (dup2(moved[index], index) < 0) goto failed;
  }
  // Other threads may have opened descriptors without the flag.
  int kept = fcntl(report, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) goto failed;
  if (dup3(kept, 3, O_CLOEXEC) < 0 && kept != 3) goto failed;
  syscall(SYS_close_range, 4u, ~0u, 0u);
  report = 3;

  setpgid(0, 0);
  if (child->directory != NULL && chdir(child->directory) < 0) goto failed;
  for (int number = 1; number < NSIG; number += 1) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(arguments[0], arguments, environment);

failed:;
  int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

int ct_spawn(const ct_child *child) {
  char **arguments = vector(child->arguments, child->argument_count);
  char **environment = changed_environment(child->environment, child->environment_count);
  int report[2] = {-1, -1};
  int answer = -ENOMEM;
  if (arguments == NULL || environment == NULL) goto done;
  if (pipe2(report, O_CLOEXEC) < 0) {
    answer = -errno;
    goto done;
  }

  // Only calls that are safe after a fork of a program with threads happen in the child; the
  // mask keeps the parent's handlers from running there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t id = fork();
  if (id == 0) become(child, arguments, environment, report[1]);
  answer = id < 0 ? -errno : id;
  pthread_sigmask(SIG_SETMASK, &before, NULL);

  close(report[1]);
  int error = 0;
  if (id > 0 && read(report[0], &error, sizeof error) == (ssize_t)sizeof error) {
    waitpid(id, NULL, 0);
    answer = -error;
  }
  close(report[0]);

done:
  free(arguments);
  free(environment);
  return answer;
}

ct_end ct_wait(int child, int milliseconds) {
  ct_end end = {0};
  int watch = (int)syscall(SYS_pidfd_open, child, 0u);
  if (watch < 0) {
    end.error = errno;
  } else {
    struct pollfd entry = {.fd = watch, .events = POLLIN};
    int ready;
    do {
      ready = poll(&entry, 1, milliseconds);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
      end.error = ETIMEDOUT;
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
    }
    close(watch);
  }

  int status = 0;
  struct rusage usage;
  pid_t ended;
  do {
    ended = wait4(child, &status, 0, &usage);
  } while (ended < 0 && errno == EINTR);
  if (ended < 0) {
    end.error = errno;
    return end;
  }
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.peak_resident_kib = usage.ru_maxrss;
  end.user_microseconds = usage.ru_utime.tv_sec * 1000000ll + usage.ru_utime.tv_usec;
  end.system_microseconds = usage.ru_stime.tv_sec * 1000000ll + usage.ru_stime.tv_usec;
  return end;
}

/// Whether all other threads of the process sleep.
static bool is_alone(void) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return true;
  bool alone = true;
  for (struct dirent *entry; alone && (entry = readdir(threads)) != NULL;) {
    char path[64], line[256];
    if (entry->d_name[0] == '.' || atoi(entry->d_name) == gettid()) continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", entry->d_name);
    FILE *file = fopen(path, "re");
    if (file == NULL) continue;
    // The state follows on the name of the thread, which ends in the last parenthesis.
    const char *name_end = fgets(line, sizeof line, file) == NULL ? NULL : strrchr(line, ')');
    if (name_end != NULL && name_end[2] != 'S') alone = false;
    fclose(file);
  }
  closedir(threads);
  return alone;
}

int ct_fork(void) {
  // A thread that works may have a lock of Swift's runtime, which nobody gives back in the child.
  for (int looks = 0; looks < 10000 && !is_alone(); looks++) usleep(1000);
  pid_t id = fork();
  return id < 0 ? -errno : id;
}

int ct_signal(int child, int signal) { return kill(child, signal) < 0 ? -errno : 0; }

int64_t ct_length(int fd) {
  struct stat status;
  return fstat(fd, &status) < 0 ? -errno : status.st_size;
}

int64_t ct_read_at(int fd, void *bytes, size_t count, int64_t offset) {
  ssize_t done = pread(fd, bytes, count, offset);
  return done < 0 ? -errno : done;
}

int64_t ct_write_all_at(int fd, const void *bytes, size_t count, int64_t offset) {
  size_t done = 0;
  while (done < count) {
    ssize_t step = pwrite(fd, (const char *)bytes + done, count - done, offset + (int64_t)done);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) return step < 0 ? -errno : -EIO;
    done += (size_t)step;
  }
  return (int64_t)done;
}

int ct_close(int fd) { return close(fd) < 0 ? -errno : 0; }

int64_t ct_program_path(char *text, size_t capacity) {
  ssize_t length = readlink("/proc/self/exe", text, capacity);
  return length < 0 ? -errno : length;
}

int64_t ct_environment(const char *name, char *text, size_t capacity) {
  const char *value = getenv(name);
  if (value == NULL) return -1;
  size_t length = strlen(value);
  if (length > capacity) length = capacity;
  memcpy(text, value, length);
  return (int64_t)length;
}

uint32_t ct_user(void) { return geteuid(); }

int ct_thread_nice(void) { return getpriority(PRIO_PROCESS, 0); }

int ct_thread_yields_disks(void) {
  // ioprio_get(IOPRIO_WHO_PROCESS, the calling thread); class 3 is the idle one.
  return syscall(SYS_ioprio_get, 1, 0) >> 13 == 3;
}

int64_t ct_cached_pages(int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return -errno;
  if (status.st_size == 0) return 0;
  void *start = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) return -errno;
  size_t count = (status.st_size + 4095) / 4096;
  unsigned char *pages = calloc(count, 1);
  int64_t found = 0;
  if (pages == NULL || mincore(start, status.st_size, pages) < 0) found = -errno;
  for (size_t page = 0; found >= 0 && page < count; page++) found += pages[page] & 1;
  free(pages);
  munmap(start, status.st_size);
  return found;
}

int ct_hold_pages(int file) {
  struct stat status;
  if (fstat(file, &status) < 0) return -errno;
  void *start = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (start == MAP_FAILED || mlock(start, status.st_size) < 0) return -errno;
  return 0;
}

int64_t ct_limit_descriptors(int64_t count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
  int64_t former = (int64_t)limit.rlim_cur;
  limit.rlim_cur = (rlim_t)count;
  return setrlimit(RLIMIT_NOFILE, &limit) < 0 ? -1 : former;
}

int ct_probe_ring(void) {
  // struct io_uring_params is 120 bytes; its third word holds the flags.
  uint32_t parameters[30] = {0};
  const uint32_t single_issuer = 1u << 12;
  const uint32_t deferred_task_run = 1u << 13;
  parameters[2] = single_issuer | deferred_task_run;
  int fd = (int)syscall(SYS_io_uring_setup, 4u, parameters);
  if (fd < 0) return -errno;
  close(fd);
  return 0;
}

ct_pipe_ends ct_sockets(int has_messages) {
  int numbers[2] = {-1, -1};
  int type = has_messages ? SOCK_DGRAM : SOCK_STREAM;
  (void)!socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, numbers);
  ct_pipe_ends ends = {numbers[0], numbers[1]};
  return ends;
}

ct_pipe_ends ct_packet_sockets(void) {
  int numbers[2] = {-1, -1};
  (void)!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers);
  ct_pipe_ends ends = {numbers[0], numbers[1]};
  return ends;
}

ct_pipe_ends ct_packets(void) {
  int numbers[2] = {-1, -1};
  (void)!pipe2(numbers, O_CLOEXEC | O_DIRECT);
  ct_pipe_ends ends = {numbers[0], numbers[1]};
  return ends;
}

ct_pipe_ends ct_connection(void) {
  ct_pipe_ends ends = {-1, -1};
  int listener = ct_listen();
  if (listener < 0) return ends;
  ends.writing = ct_connect(listener);
  if (ends.writing >= 0) ends.reading = ct_accept(listener);
  close(listener);
  return ends;
}

void ct_reset(int fd) {
  // A reset drops the bytes that were not acknowledged.
  int pending = 0;
  while (ioctl(fd, SIOCOUTQ, &pending) == 0 && pending > 0) sched_yield();
  struct linger now = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close(fd);
}

ct_pipe_ends ct_terminal(void) {
  ct_pipe_ends ends = {-1, -1};
  int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0) return ends;
  int slave = -1;
  if (grantpt(master) == 0 && unlockpt(master) == 0)
    slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct termios mode;
  if (slave < 0 || tcgetattr(slave, &mode) != 0) {
    close(master);
    return ends;
  }
  cfmakeraw(&mode);
  tcsetattr(slave, TCSANOW, &mode);
  ends.reading = slave;
  ends.writing = master;
  return ends;
}

int ct_is_writable(int fd) {
  struct pollfd entry = {fd, POLLOUT, 0};
  return poll(&entry, 1, 0) == 1 && (entry.revents & POLLOUT) != 0;
}

ct_pipe_ends ct_pipe(void) {
  int numbers[2] = {-1, -1};
  (void)!pipe2(numbers, O_CLOEXEC);
  ct_pipe_ends ends = {numbers[0], numbers[1]};
  return ends;
}

int ct_pipe_signal_waits(void) {
  sigset_t waiting;
  return sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1;
}

void ct_await_lost_peer(int end) {
  // What is waited for, an error or a hang-up, is told without being asked for.
  struct pollfd waited = {.fd = end};
  while (poll(&waited, 1, -1) < 0 && errno == EINTR) {
  }
}

int ct_status_of_piped_child(void) {
  signal(SIGPIPE, SIG_DFL);
  int status = system("bash -c 'yes 2>/dev/null | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}'");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int ct_listen(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
      && listen(fd, 1024) == 0) {
    return fd;
  }
  if (fd >= 0) close(fd);
  return -1;
}

int ct_listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0
      && listen(fd, 16) == 0) {
    return fd;
  }
  if (fd >= 0) close(fd);
  return -1;
}

int ct_connect(int listener) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  if (getsockname(listener, (struct sockaddr *)&address, &size) < 0) return -1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size) < 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

int ct_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

void ct_shut_down_writing(int fd) { shutdown(fd, SHUT_WR); }

void ct_fill(int fd) {
  static const char bytes[4096];
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  while (write(fd, bytes, sizeof bytes) > 0) {}
  while (write(fd, bytes, 1) > 0) {}
}

void ct_set_file_user(uint32_t user) { syscall(SYS_setfsuid, (uid_t)user); }
