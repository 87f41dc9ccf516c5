import IOChannelsTestSupport
import Testing

/// The example that serves many connections, with a client in a process of its own.
@Suite("Echo server", .timeLimit(.minutes(5)))
struct EchoServerTests {
  private static let program = BuiltProgram.directory + "/EchoServer"

  /// Looks again and again until a condition holds.
  ///
  /// - Throws: ``TestFailure`` if it does not within a minute, or the program has ended.
  private func until(
    _ sentence: String,
    of program: ChildProcess,
    _ holds: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !holds() {
      if program.hasEnded { throw TestFailure("ended before \(sentence): \(try program.wait())") }
      if ContinuousClock.now > end { throw TestFailure("not within a minute: \(sentence)") }
      _ = try run(["sleep", "0.01"])
    }
  }

  /// Waits until a server listens, and returns its port.
  private func port(of server: ChildProcess) throws -> String {
    try until("the server listens", of: server) {
      server.outputSoFar.last == UInt8(ascii: "\n")
    }
    return String(decoding: server.outputSoFar.dropLast(), as: UTF8.self)
  }

  /// The number of open descriptors of a process.
  private func descriptors(of process: Int32) throws -> Int {
    try runSuccessfully(["ls", "/proc/\(process)/fd"]).split(separator: "\n").count
  }

  @Test("A thousand connections of another process get their bytes back", .needs(.descriptors))
  func manyConnections() throws {
    let server = try ChildProcess([Self.program, "serve"])
    let port = try port(of: server)
    let before = try descriptors(of: server.identifier)
    for _ in 0..<2 {
      let echoed = try runSuccessfully([Self.program, "connect", port, "1000"])
      #expect(echoed == "echoed: 1000\n")
    }
    // The server closes what its peers have closed. The first connection opens the ring.
    try until("the server closes connections", of: server) {
      try descriptors(of: server.identifier) < before + 100
    }
    server.send(signal: 15)
    let outcome = try server.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [])
  }

  @Test("A server that is short of descriptors accepts connections again when others have ended")
  func fewDescriptors() throws {
    let server = try ChildProcess([
      "bash", "-c", "ulimit -n 64; exec \"$0\" serve", Self.program,
    ])
    let port = try port(of: server)
    // The first connection opens the ring. Later there may be no descriptor left for it, and the
    // server would close connections whose reads have to wait.
    #expect(try runSuccessfully([Self.program, "connect", port, "1"]) == "echoed: 1\n")
    // The client keeps all of its connections, of which the server can accept a part.
    let client = try ChildProcess([Self.program, "connect", port, "100"])
    try until("the server has no descriptor left", of: server) {
      try descriptors(of: server.identifier) > 60
    }
    client.send(signal: 9)
    #expect(try client.wait().signal == 9)
    let echoed = try runSuccessfully([Self.program, "connect", port, "10"])
    #expect(echoed == "echoed: 10\n")
    server.send(signal: 15)
    let outcome = try server.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [], "\(outcome)")
  }
}
