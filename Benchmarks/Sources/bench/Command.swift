import Foundation
import Measure

/// A command failed.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
}

/// Runs a command to its end and returns the time from its start, and what it used; its output is
/// dropped.
func time(_ command: [String]) throws -> Timing {
  var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
  defer { arguments.forEach { free($0) } }
  arguments.append(nil)
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)

  let clock = ContinuousClock()
  let start = clock.now
  var child: pid_t = 0
  let error = posix_spawnp(&child, command[0], &actions, nil, arguments, environ)
  guard error == 0 else { throw CommandFailure(description: "\(command): error \(error)") }
  var status: Int32 = 0
  var account = rusage()
  while wait4(child, &status, 0, &account) < 0 && errno == EINTR {}
  let duration = clock.now - start
  guard status == 0 else { throw CommandFailure(description: "\(command): status \(status)") }
  return Timing(duration: duration, use: ProcessorUse(account))
}

/// Runs a command, which must succeed.
func run(_ command: String...) throws {
  try run(command)
}

/// Runs a command, which must succeed.
func run(_ command: [String]) throws {
  _ = try time(command)
}

/// Runs a command, which must succeed, and returns what it prints.
func output(_ command: String...) throws -> String {
  try output(command)
}

/// Runs a command, which must succeed, and returns what it prints.
func output(_ command: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = command
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw CommandFailure(description: "\(command): status \(process.terminationStatus)")
  }
  return String(decoding: data, as: UTF8.self)
}

/// Runs a command, which must succeed, and returns the number that it prints.
func number(printedBy command: [String]) throws -> Double {
  let text = try output(command).trimmingCharacters(in: .newlines)
  guard let number = Double(text) else {
    throw CommandFailure(description: "\(command) printed \(text)")
  }
  return number
}

/// Returns the path of a program that is built with this one.
func programBeside(_ name: String) -> String {
  URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(component: name).path
}

/// Skips a row for lack of a program.
func need(_ program: String) throws {
  guard (try? run("which", program)) != nil else { throw Skipped("\(program) is not installed") }
}
