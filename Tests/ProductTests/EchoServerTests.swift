import TestSupport
import Testing

/// The example that serves many connections, with a client in a process of its own.
@Suite("Echo server", .timeLimit(.minutes(5)))
struct EchoServerTests {
  private static let program = BuiltProgram.directory + "/EchoServer"

  /// Looks again and again until something holds; the time limit of the suite bounds it.
  private func until(_ holds: () throws -> Bool) throws {
    while try !holds() { _ = try run(["sleep", "0.01"]) }
  }

  /// The number of open descriptors of a process.
  private func descriptors(of process: Int32) throws -> Int {
    try runSuccessfully(["ls", "/proc/\(process)/fd"]).split(separator: "\n").count
  }

  @Test("A thousand connections of another process get their bytes back", .needs(.descriptors))
  func manyConnections() throws {
    let server = try ChildProcess([Self.program, "serve"])
    try until { server.outputSoFar.last == UInt8(ascii: "\n") }
    let port = String(decoding: server.outputSoFar.dropLast(), as: UTF8.self)
    let before = try descriptors(of: server.identifier)
    for _ in 0..<2 {
      let echoed = try runSuccessfully([Self.program, "connect", port, "1000"])
      #expect(echoed == "echoed: 1000\n")
    }
    // The server closes what its peers have closed. The first connection opens the ring.
    try until { try descriptors(of: server.identifier) < before + 100 }
    server.send(signal: 15)
    let outcome = try server.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [])
  }

  @Test("A server that is short of descriptors accepts connections again when others have ended")
  func fewDescriptors() throws {
    let server = try ChildProcess([
      "bash", "-c", "ulimit -n 64; exec \"$0\" serve", Self.program,
    ])
    try until { server.outputSoFar.last == UInt8(ascii: "\n") }
    let port = String(decoding: server.outputSoFar.dropLast(), as: UTF8.self)
    // The client keeps all of its connections, of which the server can accept a part.
    let client = try ChildProcess([Self.program, "connect", port, "100"])
    try until { try descriptors(of: server.identifier) > 60 }
    client.send(signal: 9)
    #expect(try client.wait().signal == 9)
    let echoed = try runSuccessfully([Self.program, "connect", port, "10"])
    #expect(echoed == "echoed: 10\n")
    server.send(signal: 15)
    #expect(try server.wait().signal == 15)
  }
}
