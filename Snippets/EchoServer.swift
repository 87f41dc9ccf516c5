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
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  let listener = socket(AF_INET, kind, 0)
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, [Int32(1)], socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_in()
  (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  let result = withUnsafeBytes(of: &address) {
    bind(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
  }
  guard result == 0, listen(listener, SOMAXCONN) == 0 else { throw SystemError(rawValue: errno) }
  for try await _ in ReadSource.readable(fileDescriptor: listener) {
    if case let connection = accept(listener, nil, nil), connection >= 0 {
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      Task(executorPreference: WorkerPool.shared) { try? await echo(connection) }
    } else {
      // Often no descriptor is free. The connections wait until others have ended.
      for await _ in TimerSource.ticks(every: .milliseconds(100)) { break }
    }
  }
}

if let port = CommandLine.arguments.dropFirst().first.flatMap({ UInt16($0) }) {
  do { try await withTaskExecutorPreference(WorkerPool.shared) { try await serve(port) } } catch {
    try? await IOChannel.standardError.write(DataBuffer("echo: \(error)\n".utf8))
    exit(1)
  }
}
