// Starts a program, reads what it writes, and waits for its end.

import EventSources
import Glibc
import IOChannels

/// Runs a program and returns its standard output and the way in which it ended.
///
/// The result is nil if the program cannot be started.
func run(_ command: [String]) async throws -> (output: DataBuffer, status: ProcessStatus?)? {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return nil }
  // No other child inherits the pipe. In C, `pipe2` does this without a gap between the calls.
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let (readEnd, writeEnd) = (ends[0], ends[1])
  // The duplicate in the child stays open on exec; both ends here are closed there.
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_adddup2(&actions, writeEnd, STDOUT_FILENO)
  // The child blocks no signal, whichever thread starts it.
  var attributes = posix_spawnattr_t()
  var noSignals = sigset_t()
  sigemptyset(&noSignals)
  posix_spawnattr_init(&attributes)
  posix_spawnattr_setsigmask(&attributes, &noSignals)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  var arguments = command.map { strdup($0) } + [nil]
  var child: pid_t = 0
  let error = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, environ)
  for argument in arguments { free(argument) }
  posix_spawn_file_actions_destroy(&actions)
  posix_spawnattr_destroy(&attributes)
  // Only the child may keep the write end open: its exit is the end of the output.
  close(writeEnd)
  let channel = IOChannel(kind: .stream, fileDescriptor: readEnd, queue: .global()) { _ in
    close(readEnd)
  }
  defer { channel.close() }
  guard error == 0 else { return nil }
  let output = try await channel.readAll()
  let status = try await ProcessSource.exit(of: child)
  // The process has ended, so this call does not block. It removes the zombie.
  waitpid(child, nil, 0)
  return (output, status)
}

if let result = try await run(["sh", "-c", "echo hello; exit 3"]) {
  print("output:", String(decoding: result.output, as: UTF8.self), terminator: "")
  if case .exited(let code)? = result.status { print("exit status:", code) }
}

// snippet.hide
// output: hello
// exit status: 3
