// Serves a port of the loopback interface and sends back what it receives: EchoServer PORT

import EventSources
import Glibc
import IOChannels

/// Sends back what the peer sends. Each read waits for the write before it, to bound the memory.
func echo(_ connection: Int32) async throws {
  try await IOChannel.withDescriptor(connection, closing: true) { channel in
    while case let bytes = try await channel.read(upTo: 16_384), !bytes.isEmpty {
      try await channel.write(bytes)
    }
  }
}

func serve(_ port: UInt16) async throws {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
  }
  guard result == 0, listen(listener, SOMAXCONN) == 0 else { throw SystemError(rawValue: errno) }
  for try await _ in ReadSource.readable(fileDescriptor: listener) {
    let connection = accept(listener, nil, nil)
    if connection >= 0 {
      Task(executorPreference: WorkerPool.shared) { try? await echo(connection) }
    } else {
      // Often no descriptor is free. The connections wait until others have ended.
      for await _ in TimerSource.ticks(every: .milliseconds(100)) { break }
    }
  }
}

if let port = CommandLine.arguments.dropFirst().first.flatMap({ UInt16($0) }) {
  try await withTaskExecutorPreference(WorkerPool.shared) { try await serve(port) }
}
