// Calls of Linux that the tests need and Swift's Glibc module hides.
//
// Every function returns what the call returned, or the negative error number.

#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stddef.h>
#include <stdint.h>

#include "CTestSignals.h"
#include "Datagrams.h"
#include "FileChanges.h"
#include "Processes.h"

/// Makes an unnamed file in memory and returns its descriptor.
int ct_memory_file(void);

/// Both ends of a pipe, or -1 twice.
typedef struct {
  int reading;
  int writing;
} ct_pipe_ends;

/// Makes a pipe.
ct_pipe_ends ct_pipe(void);

/// Whether SIGPIPE waits for the calling thread.
int ct_pipe_signal_waits(void);

/// Waits until nobody has the other end.
void ct_await_lost_peer(int end);

/// Makes two sockets that are connected; messages keep their bounds if `has_messages`.
///
/// `reading` and `writing` both go both ways.
ct_pipe_ends ct_sockets(int has_messages);

/// Makes two connected sockets of packets, which report the end of the other one.
ct_pipe_ends ct_packet_sockets(void);

/// Makes a pipe with packets.
ct_pipe_ends ct_packets(void);

/// Makes two sockets with a connection of TCP.
ct_pipe_ends ct_connection(void);

/// Closes a socket of TCP and resets its connection, once the peer has received all bytes.
void ct_reset(int fd);

/// Makes a terminal in raw mode: `writing` is its master.
ct_pipe_ends ct_terminal(void);

/// Whether a descriptor is ready for writing: 1 or 0.
int ct_is_writable(int fd);

/// What a child is started with.
///
/// `arguments` and `environment` are `*_count` strings, each with a zero byte behind it, one
/// behind the other. The environment is this program's with changes: `NAME=VALUE` sets, `NAME`
/// removes. Without a `directory` the child keeps this program's.
typedef struct {
  const char *arguments;
  size_t argument_count;
  const char *environment;
  size_t environment_count;
  const char *directory;
  int input;
  int output;
  int errors;
} ct_child;

/// Starts a child with default signal handling and no other open descriptor; returns its id.
int ct_spawn(const ct_child *child);

/// How a child ended.
typedef struct {
  /// 0, `ETIMEDOUT`, or the error number of a call.
  int32_t error;
  int32_t exit_status;
  int32_t signal;
  int64_t peak_resident_kib;
  int64_t user_microseconds;
  int64_t system_microseconds;
} ct_end;

/// Waits for a child; kills its process group when `milliseconds` are over.
ct_end ct_wait(int child, int milliseconds);

/// Forks this process once its other threads sleep, which Swift does not let one call; returns as
/// `fork` does.
int ct_fork(void);

/// Runs `yes | head -n 1` in a child that inherits the calling thread's mask, with the default action
/// for `SIGPIPE`; returns the exit status of `yes` as a shell gives it, or -1.
int ct_status_of_piped_child(void);

/// Sends a signal to a child.
int ct_signal(int child, int signal);

/// The length of a file.
int64_t ct_length(int fd);

/// Reads at `offset`.
int64_t ct_read_at(int fd, void *bytes, size_t count, int64_t offset);

/// Writes everything at `offset`; returns `count`.
int64_t ct_write_all_at(int fd, const void *bytes, size_t count, int64_t offset);

/// Closes a descriptor.
int ct_close(int fd);

/// Copies the path of the running program into `text`; returns its length.
int64_t ct_program_path(char *text, size_t capacity);

/// The value of an environment variable, copied into `text`; returns its length or -1.
int64_t ct_environment(const char *name, char *text, size_t capacity);

/// The effective user.
uint32_t ct_user(void);

/// The nice value of the calling thread.
int ct_thread_nice(void);

/// Whether the calling thread's transfers wait until nobody else uses the disk: 1 or 0.
int ct_thread_yields_disks(void);

/// How many pages of a file are in memory, or a negative error number.
int64_t ct_cached_pages(int file);

/// Brings a file into memory and keeps it there until this process ends; 0 or a negative error
/// number.
int ct_hold_pages(int file);

/// Changes how many descriptors this process may have open; gives the former number, or -1.
int64_t ct_limit_descriptors(int64_t count);

/// The answer of `io_uring_setup` with the flags the ring needs: 0 or the negative error number.
int ct_probe_ring(void);

/// Makes a TCP socket that listens on the loopback interface, or gives -1.
int ct_listen(void);

/// Listens on a socket of bytes with a path; -1 where that fails.
int ct_listen_at(const char *path);

/// Connects a TCP socket to a listening one, or gives -1.
int ct_connect(int listener);

/// Accepts a connection of a listening socket, or gives -1.
int ct_accept(int listener);

/// Ends what a socket sends.
void ct_shut_down_writing(int fd);

/// Fills a pipe or a socket until it takes no more, and leaves it non-blocking.
void ct_fill(int fd);

/// Sets the user as whom the calling thread uses files.
void ct_set_file_user(uint32_t user);

#endif
