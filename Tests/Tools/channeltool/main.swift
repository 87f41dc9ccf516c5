// Uses channels in a process of its own, for tests and scripts that look at the process as a whole.
//
//   channeltool COMMAND [ARGUMENT...]
//
// The enumeration of each command has its usage. A failure ends the process with a status or a
// signal.

import Glibc

/// The error of arguments that a command does not know.
struct UsageError: Error {}

private let commands: [String: (usage: String, run: ([String]) throws -> Void)] = [
  "memory": (MemoryUse.usage, MemoryUse.run),
  "probe": (Probe.usage, Probe.run),
  "scripts": (Scripts.usage, Scripts.run),
  "storm": (Storm.usage, Storm.run),
  "transfer": (Transfers.usage, Transfers.run),
]

private let words = CommandLine.arguments.dropFirst()
do {
  guard let command = words.first.flatMap({ commands[$0] }) else { throw UsageError() }
  try command.run(Array(words.dropFirst()))
} catch is UsageError {
  let usages = commands.sorted { $0.key < $1.key }.map(\.value.usage)
  print("usage:\n" + usages.joined(separator: "\n"))
  exit(2)
} catch {
  print(error)
  exit(1)
}
