// Connects two sockets: what one receives goes to the other.

import IOChannels

/// Connects two sockets until both have ended their sending directions.
func proxy(_ one: IOChannel, _ other: IOChannel) async throws {
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    for (source, destination) in [(one, other), (other, one)] {
      tasks.addTask {
        try await source.relay(to: destination)
        try await destination.finishWriting()
      }
    }
    try await tasks.waitForAll()
  }
}

// snippet.hide
import Glibc

func sockets() throws -> [Int32] {
  var ends: [Int32] = [0, 0]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
    throw SystemError(rawValue: errno)
  }
  return ends
}

func channel(_ number: Int32) -> IOChannel {
  IOChannel(type: .stream, fileDescriptor: number, queue: .global()) { _ in }
}

let (left, right) = (try sockets(), try sockets())
let (client, server) = (channel(left[0]), channel(right[1]))
let proxying = Task { try await proxy(channel(left[1]), channel(right[0])) }
try await client.write(DataBuffer("question".utf8))
try await client.finishWriting()
let question = try await server.readAll()
try await server.write(DataBuffer("answer to the ".utf8))
try await server.write(question)
try await server.finishWriting()
for line in try await client.readAll().lines { print(String(decoding: line, as: UTF8.self)) }
try await proxying.value
// answer to the question
