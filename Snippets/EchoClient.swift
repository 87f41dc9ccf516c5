// Sends messages to a port and counts the equal replies: EchoClient PORT COUNT

import EventSources
import Glibc
import IOChannels

/// Connects a socket to a port of the loopback interface.
func connect(_ client: Int32, to port: UInt16) async throws {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  var error = withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      Glibc.connect(client, address, size) == 0 ? 0 : errno
    }
  }
  if error == EINPROGRESS {
    // The source has an event when the socket is connected, and also if that has failed.
    for try await _ in WriteSource.writable(fileDescriptor: client) { break }
    // The loop ends without an event if the task is cancelled.
    try Task.checkCancellation()
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(client, SOL_SOCKET, SO_ERROR, &error, &length)
  }
  if error != 0 { throw SystemError(rawValue: error) }
}

/// Sends a message to a port, and returns the reply up to its end.
func reply(to message: String, from port: UInt16) async throws -> String {
  let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
  // The socket is closed in all cases.
  return try await IOChannel.withDescriptor(client, closing: true) { channel in
    try await connect(client, to: port)
    try await channel.write(DataBuffer(message.utf8))
    try await channel.finishWriting()
    return String(decoding: try await channel.readAll(), as: UTF8.self)
  }
}

// snippet.hide
let arguments = CommandLine.arguments.compactMap { UInt16($0) }
if arguments.count == 2 {
  let (port, count) = (arguments[0], arguments[1])
  let echoes = await withTaskGroup(of: Bool.self) { clients in
    for number in 0..<count {
      clients.addTask {
        let message = "message \(number)"
        return (try? await reply(to: message, from: port)) == message
      }
    }
    var sum = 0
    for await isEcho in clients where isEcho { sum += 1 }
    return sum
  }
  print("echoed:", echoes)
} else {
  do {
    print(try await reply(to: "hello", from: 1))
  } catch {
    print("port 1:", error)
  }
}
// port 1: Connection refused
