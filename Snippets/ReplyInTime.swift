// Asks a peer a question and waits for the reply for a limited time.

import Glibc
import IOChannels

/// Sends a question on a socket and returns the reply, or nil if none arrives in time.
func ask(
  _ question: String,
  on channel: IOChannel,
  within limit: Duration
) async throws -> String? {
  try await channel.write(DataBuffer(question.utf8))
  return try await withThrowingTaskGroup { tasks in
    tasks.addTask {
      // Returns as soon as any bytes are there, and an empty buffer at the end of the stream.
      Optional(String(decoding: try await channel.read(upTo: 4096), as: UTF8.self))
    }
    tasks.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    let first = try await tasks.next()
    // The read ends at once and takes no bytes, so a late reply is there for the next read.
    tasks.cancelAll()
    return first ?? nil
  }
}

// snippet.hide
var ends: [Int32] = [0, 0]
socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
let (near, far) = (ends[0], ends[1])
let channel = IOChannel(type: .stream, fileDescriptor: near, queue: .global()) { _ in close(near) }
print("first:", try await ask("hello\n", on: channel, within: .milliseconds(20)) ?? "none")
write(far, "late", 4)
print("second:", try await ask("again\n", on: channel, within: .seconds(60)) ?? "none")
close(far)
channel.close()
// first: none
// second: late
