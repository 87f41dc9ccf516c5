import TestSupport
import Testing

/// The example that serves many connections, with a client in a process of its own.
@Suite("Echo server", .timeLimit(.minutes(5)))
struct EchoServerTests {
  private static let program = BuiltProgram.directory + "/EchoServer"

  /// Looks again and again until something holds, for some minutes at most.
  private func until(_ holds: () throws -> Bool) throws {
    for _ in 0..<6_000 {
      if try holds() { return }
      _ = try run(["sleep", "0.01"])
    }
    throw TestFailure("the condition does not hold")
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
}
