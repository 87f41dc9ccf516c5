import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Sources of all kinds in programs of their own")
struct AllKindsTests {
  /// The kinds of sources and the data of their events, in the order of the program.
  private static let events: KeyValuePairs = [
    "timer": "1",
    "data": "7",
    "signal": "1",
    "process": "\(EventSource.ProcessEvent.exit.rawValue)",
    "memory pressure": "\(EventSource.MemoryPressureEvent.warning.rawValue)",
    "pipe": "5",
    "file": "3",
    "room": "1",
    "file system": "\(EventSource.FileSystemEvent.write.rawValue)",
    "port": "3",
    "sender": "\(EventSource.PortSendEvent.dead.rawValue)",
  ]

  /// The lines of the program, with another result for some kinds.
  private static func lines(_ others: [String: String] = [:]) -> [String] {
    events.map { kind, data in "\(kind): \(others[kind] ?? data)" }
  }

  /// A file with 3 bytes and the FIFO of a service manager with a report, for each user.
  private final class Place {
    let file: String
    let environment: [String: String?]
    private let directory: TemporaryDirectory
    private let ends: PipeEnds

    init() throws {
      directory = try TemporaryDirectory()
      file = try directory.write([1, 2, 3], to: "file")
      let fifo = directory("fifo")
      environment = ["MEMORY_PRESSURE_WATCH": fifo, "MEMORY_PRESSURE_WRITE": nil]
      try runSuccessfully(["mkfifo", fifo])
      try runSuccessfully(["chmod", "777", directory.path, file, fifo])
      ends = try PipeEnds(fifo: fifo)
      _ = try ends.writing.borrowed.write([1], 0..<1)
    }
  }

  /// Runs the program by a command that gets its path as the last argument.
  private func lines(of command: [String]) throws -> [String] {
    let place = try Place()
    // A program without `/proc` has no arguments.
    var environment = place.environment
    environment["OBSERVE"] = "events \(place.file)"
    let output = try runSuccessfully(
      command + [BuiltProgram.observe.path],
      environment: environment
    )
    return output.split(separator: "\n").map(String.init)
  }

  @Test("Each kind has its event, with io_uring and without it", arguments: [[], ["uring=38"]])
  func eachKind(sandbox: [String]) throws {
    #expect(try lines(of: [BuiltProgram.sandboxrun.path] + sandbox + ["--"]) == Self.lines())
  }

  @Test("Each kind has its event for a user without rights", .needs(.root))
  func otherUser() throws {
    #expect(try lines(of: [BuiltProgram.sandboxrun.path, "uid=65534", "--"]) == Self.lines())
  }

  /// The start of a command whose program has an empty `/proc`.
  private static let withoutProcessInformation = [
    "unshare", "-m", "sh", "-ec", "mount -t tmpfs none /proc; exec \"$0\"",
  ]

  @Test("Without /proc a file-system source alone has an error (S201)", .needs(.root))
  func emptyProc() throws {
    let lines = try lines(of: Self.withoutProcessInformation)
    #expect(lines == Self.lines(["file system": "error 2"]))
  }

  @Test("Without /proc only a service manager reports memory pressure (S202)", .needs(.root))
  func pressureWithEmptyProc() throws {
    let output = try runSuccessfully(
      Self.withoutProcessInformation + [BuiltProgram.pressure.path],
      environment: ["MEMORY_PRESSURE_WATCH": nil, "MEMORY_PRESSURE_WRITE": nil]
    )
    #expect(output == "error \(SystemError.notSupported.rawValue)\n")
  }

  @Test(
    "A user with too many watches gets an error from a file-system source alone (S201)",
    .needs(.root, .network),
    arguments: [("instances", "error 24"), ("watches", "error 28")]
  )
  func watchLimits(limit: String, error: String) throws {
    // The limits of a new namespace of users hold for its user alone.
    let script = "echo 0 >/proc/sys/user/max_inotify_\(limit); exec \"$0\""
    let lines = try lines(of: ["unshare", "-U", "-r", "sh", "-ec", script])
    #expect(lines == Self.lines(["file system": error]))
  }

  @Test("A source without a descriptor has an error, and a later one an event (S188)")
  func noDescriptors() throws {
    let withoutDescriptors = ["timer", "data"]
    for (kind, data) in Self.events {
      let place = try Place()
      let output = try runSuccessfully(
        [BuiltProgram.observe.path, "limited", kind, place.file],
        environment: place.environment
      )
      let first = withoutDescriptors.contains(kind) ? data : "error 24"
      #expect(output == "\(first)\n\(data)\n", "\(kind)")
    }
  }
}
