// Runs a command, and relays its standard input and output: ProcessRelay COMMAND [ARGUMENT]...

import Foundation
import IOChannels

let command = Array(CommandLine.arguments.dropFirst())
let (process, input, output, ended) = (Process(), Pipe(), Pipe(), CountingSemaphore(value: 0))
process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
process.arguments = command.isEmpty ? ["echo", "hello"] : command
process.standardInput = input
process.standardOutput = output
process.terminationHandler = { _ in ended.signal() }
do {
  try process.run()
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask {
      let end = input.fileHandleForWriting
      // The command may close its input early.
      _ = try? await IOChannel.withDescriptor(end.fileDescriptor, closing: false) { channel in
        try await IOChannel.standardInput.relay(to: channel)
      }
      try end.close()
    }
    let end = output.fileHandleForReading.fileDescriptor
    _ = try await IOChannel.withDescriptor(end, closing: false) { channel in
      try await channel.relay(to: .standardOutput)
    }
    try await ended.acquire()
    // The other task may still wait for standard input.
    tasks.cancelAll()
  }
  let status = DataBuffer("exit status: \(process.terminationStatus)\n".utf8)
  if process.terminationStatus != 0 { try await IOChannel.standardError.write(status) }
} catch {
  try? await IOChannel.standardError.write(DataBuffer("relay: \(error)\n".utf8))
  exit(1)
}
// snippet.hide
// hello
