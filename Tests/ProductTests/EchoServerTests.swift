import IOChannelsTestSupport
import Testing

/// The example that serves many connections, with clients in processes of their own.
@Suite("Echo server", .timeLimit(.minutes(5)))
struct EchoServerTests {
  private static let server = BuiltProgram.directory + "/EchoServer"
  private static let client = BuiltProgram.directory + "/EchoClient"

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

  /// Starts a program with a limit of open descriptors.
  private func start(_ command: [String], descriptors: Int) throws -> ChildProcess {
    try ChildProcess(["bash", "-c", "ulimit -Sn \(descriptors); exec \"$0\" \"$@\""] + command)
  }

  /// Sends messages to a port at the same time, and returns a line with the number of echoes.
  private func echoes(of count: Int, on port: String) throws -> String {
    let client = try start([Self.client, port, String(count)], descriptors: 1200)
    let outcome = try client.wait()
    guard outcome.succeeded else { throw TestFailure("\(outcome)") }
    return outcome.outputText
  }

  /// Starts a server on a free port, and waits until it has answered a client.
  private func startServer(descriptors: Int) throws -> (server: ChildProcess, port: String) {
    for _ in 0..<20 {
      // Ports from 32768 on are those of clients.
      let port = String(Int.random(in: 20_000..<32_000))
      let server = try start([Self.server, port], descriptors: descriptors)
      let end = ContinuousClock.now + .seconds(60)
      while !server.hasEnded, ContinuousClock.now < end {
        if try echoes(of: 1, on: port) == "echoed: 1\n" { return (server, port) }
      }
      // Another process has the port.
      server.send(signal: 9)
      _ = try server.wait()
    }
    throw TestFailure("no server could be started")
  }

  /// The number of open descriptors of a process.
  private func descriptors(of process: Int32) throws -> Int {
    try runSuccessfully(["ls", "/proc/\(process)/fd"]).split(separator: "\n").count
  }

  @Test("A thousand connections of another process get their bytes back", .needs(.descriptors))
  func manyConnections() throws {
    let (server, port) = try startServer(descriptors: 1200)
    let before = try descriptors(of: server.identifier)
    for _ in 0..<2 { #expect(try echoes(of: 1000, on: port) == "echoed: 1000\n") }
    // The server closes the connections that its peers have closed.
    try until("the server closes connections", of: server) {
      try descriptors(of: server.identifier) < before + 100
    }
    server.send(signal: 15)
    let outcome = try server.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [])
  }

  @Test("A server that is short of descriptors accepts connections again when others have ended")
  func fewDescriptors() throws {
    // The first connection opens the ring. Later there may be no descriptor left for it, and the
    // server would close connections whose reads have to wait.
    let (server, port) = try startServer(descriptors: 64)
    // This process keeps all of its connections, of which the server can accept a part.
    let connect = "for i in {1..100}; do exec {file}<>/dev/tcp/127.0.0.1/$0; done; exec sleep 60"
    let holder = try ChildProcess(["bash", "-c", connect, port])
    try until("the server has no descriptor left", of: server) {
      try descriptors(of: server.identifier) > 60
    }
    holder.send(signal: 9)
    #expect(try holder.wait().signal == 9)
    #expect(try echoes(of: 10, on: port) == "echoed: 10\n")
    server.send(signal: 15)
    let outcome = try server.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [], "\(outcome)")
  }

  @Test("A client reports that no server listens")
  func noServer() throws {
    #expect(try runSuccessfully([Self.client, "1", "1"]) == "echoed: 0\n")
    #expect(try runSuccessfully([Self.client]) == "port 1: Connection refused\n")
  }
}
