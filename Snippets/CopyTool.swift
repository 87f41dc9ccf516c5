// Copies a file: each piece is written while the next one is read.

import Glibc
import IOChannels

func copy(_ source: BytePath, to target: BytePath) async throws -> Int64 {
  try await IOChannel.withOpen(source) { input in
    try await IOChannel.withOpen(target, [.writeOnly, .create, .truncate]) { output in
      let count = try await output.writeAll(input.chunks())
      // Not only in the memory of the system: on the disk.
      try await output.synchronize()
      return count
    }
  }
}

let program = BytePath(CommandLine.arguments[0])
let target = BytePath("\(program).copy")
do {
  let count = try await copy(program, to: target)
  let original = try await IOChannel.withOpen(program) { try await $0.readAll() }
  let copied = try await IOChannel.withOpen(target) { try await $0.readAll() }
  print("all bytes:", count == Int64(original.count), "the same:", original == copied)
} catch {
  // One line: "copy: open of a/b: Permission denied".
  try? await IOChannel.standardError.write(DataBuffer("copy: \(error)\n".utf8))
  exit(1)
}

// snippet.hide
// all bytes: true the same: true
