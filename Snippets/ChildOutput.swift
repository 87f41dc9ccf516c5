// Starts a program, reads what it writes, and waits for its end.

import EventSources
import Glibc
import IOChannels

/// Runs a program and returns its standard output and the way in which it ended.
///
/// The result is nil if the pipe or the process cannot be created. The status is nil if the kernel
/// does not report it, for instance while the program ignores `SIGCHLD`.
func run(_ command: [String]) async throws -> (output: DataBuffer, status: ProcessStatus?)? {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return nil }
  // Later children do not inherit the pipe. A child that another thread starts between the two
  // calls does. In C, `pipe2` leaves no such gap; Swift does not import it.
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let (readEnd, writeEnd) = (ends[0], ends[1])
  // Exec keeps the duplicate, which is the child's standard output, and closes both ends.
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
  // The output ends when the child, and each process that inherited its output, has closed it.
  close(writeEnd)
  let channel = IOChannel(type: .stream, fileDescriptor: readEnd, queue: .global()) { _ in
    close(readEnd)
  }
  defer { channel.close() }
  guard error == 0 else { return nil }
  do {
    let output = try await channel.readAll()
    let status = try await ProcessSource.waitForExit(of: child)
    // The process has ended, so this call does not block. It removes the zombie.
    waitpid(child, nil, 0)
    return (output, status)
  } catch {
    // A cancelled task leaves neither a running child nor a zombie.
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    throw error
  }
}

do {
  if let result = try await run(["sh", "-c", "echo hello; exit 3"]) {
    print("output:", String(decoding: result.output, as: UTF8.self), terminator: "")
    if case .exited(let code)? = result.status { print("exit status:", code) }
  }
} catch {
  try? await IOChannel.standardError.write(DataBuffer("run: \(error)\n".utf8))
  exit(1)
}

// snippet.hide
// output: hello
// exit status: 3
