// Sends back what it receives: a source accepts connections, channels carry the bytes.

import EventSources
import Glibc
import IOChannels

/// A server on the loopback interface that sends back what it receives.
final class EchoServer: Sendable {
  let port: UInt16
  private let source: ReadSource

  init(queue: WorkQueue) throws {
    let (listener, port) = try listenOnLoopback()
    self.port = port
    let source = EventSource.makeReadSource(fileDescriptor: listener, queue: queue)
    source.setEventHandler {
      // The number of connections that wait.
      for _ in 0..<source.data {
        let connection = accept(listener, nil, nil)
        if connection >= 0 {
          Task(executorPreference: WorkerPool.shared) { await EchoServer.echo(connection) }
        } else if errno == EMFILE {
          // The connections wait until others have ended.
          source.suspend()
          queue.asyncAfter(deadline: .now() + .milliseconds(100)) { source.resume() }
          return
        }
      }
    }
    source.setCancelHandler { close(listener) }
    source.activate()
    self.source = source
  }

  /// Accepts no more connections.
  deinit { source.cancel() }

  private static func echo(_ connection: Int32) async {
    let channel = IOChannel(type: .stream, fileDescriptor: connection, queue: .global()) { _ in
      close(connection)
    }
    // The next read waits for the write, so that a slow peer costs no memory.
    while let bytes = try? await channel.read(upTo: 16 * 1024), !bytes.isEmpty {
      do { try await channel.write(bytes) } catch { break }
    }
    channel.close()
  }
}

/// Creates a listening socket and returns it with its port.
func listenOnLoopback() throws -> (socket: Int32, port: UInt16) {
  let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
  let listener = socket(AF_INET, Int32(flags), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isListening = withUnsafeMutablePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(listener, address, size) == 0 && listen(listener, SOMAXCONN) == 0
        && getsockname(listener, address, &size) == 0
    }
  }
  guard isListening else { throw SystemError(rawValue: errno) }
  return (listener, UInt16(bigEndian: address.sin_port))
}

// snippet.hide
func connect(to port: UInt16) -> Int32 {
  let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  address.sin_port = port.bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
  }
  return result == 0 ? client : -1
}

func echoes(of count: Int, on port: UInt16) -> Int {
  let messages = (0..<count).map { Array("message \($0)".utf8) }
  let clients = messages.map { _ in connect(to: port) }
  for (client, message) in zip(clients, messages) { send(client, message, message.count, 0) }
  var echoes = 0
  for (client, message) in zip(clients, messages) {
    var received = [UInt8](repeating: 0, count: message.count)
    let length = recv(client, &received, received.count, Int32(MSG_WAITALL))
    if length == message.count, received == message { echoes += 1 }
  }
  for client in clients { close(client) }
  return echoes
}

var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "connect" {
  let numbers = arguments.compactMap { Int($0) }
  print("echoed:", echoes(of: numbers[1], on: UInt16(numbers[0])))
} else {
  let server = try EchoServer(queue: WorkQueue(label: "accept"))
  if arguments.first == "serve" {
    print(server.port)
    fflush(nil)
    pause()
  }
  print("echoed:", echoes(of: 10, on: server.port))
}
// echoed: 10
