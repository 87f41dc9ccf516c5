import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// Watchers of a directory (`inotify`) are notified of complete files under their names.
@Suite("Watchers of the destination", .ends(withinMinutes: 10))
struct WatcherTests {
  /// The events that watchers wait for: `IN_CLOSE_WRITE` and `IN_MOVED_TO`.
  private static let complete = FileNotices(rawValue: 0x8).union(.movedTo)

  private static let tree = """
    chmod 755 .; mkdir s to; chmod 777 to; head -c 300000 /dev/urandom >s/large; echo 1 >s/small
    head -c 200000 /dev/urandom >s/closed; chmod 444 s/closed; cp s/large s/old; cp s/small to/old
    chmod 666 to/old
    """

  /// Returns the names that a watcher of a directory receives while a program runs.
  private func names(
    in directory: String,
    for notices: FileNotices = WatcherTests.complete,
    during command: [String]
  ) throws -> Set<String> {
    let queue = try NotificationQueue()
    let watched = try BorrowedDescriptor.workingDirectory.open(BytePath(directory), [.directory])
    _ = try queue.add(watched.borrowed, for: notices, keeping: false)
    try runSuccessfully(command)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = try queue.borrowed.read(into: &bytes)
    var names: Set<String> = []
    var rest = bytes[..<count]
    while rest.count >= 16 {
      // The last field of the head is the length of the name with the zeros behind it.
      let length = Int(rest[rest.startIndex + 12]) | Int(rest[rest.startIndex + 13]) << 8
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      names.insert(String(decoding: name, as: UTF8.self))
      rest = rest.dropFirst(16 + length)
    }
    return names
  }

  @Test(
    "Each file is reported under its name when it is complete, however it appears",
    arguments: [["-r"], ["-a"], ["-r", "--atomic"], ["-r", "--verify"], ["-r", "--jobs=1"]]
  )
  func completeFiles(options: [String]) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-ec", Self.tree], directory: place.path)
    let names = try names(
      in: place("to"),
      during: [BuiltProgram.fastcp.path] + options + ["\(place("s"))/.", place("to")]
    )
    #expect(names.isSuperset(of: ["closed", "large", "old", "small"]), "\(names)")
    #expect(try runSuccessfully(["ls", "-A", place("to")]) == "closed\nlarge\nold\nsmall\n")
  }

  /// Creates the tree and a copy of the program, and returns a command that runs it as a user
  /// without rights.
  private func prepare(_ place: TemporaryDirectory) throws -> [String] {
    try runSuccessfully(
      ["bash", "-ec", "\(Self.tree); cp \"$0\" program", BuiltProgram.fastcp.path],
      directory: place.path
    )
    return [
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", place("program"),
    ]
  }

  @Test("A large file that its user may not write to is reported too", .needs(.root))
  func readOnlyFiles() throws {
    let place = try TemporaryDirectory()
    let program = try prepare(place)
    let names = try names(
      in: place("to"),
      during: program + ["-r", "\(place("s"))/.", place("to")]
    )
    #expect(names.isSuperset(of: ["closed", "large", "old", "small"]), "\(names)")
    #expect(try runSuccessfully(["ls", "-A", place("to")]) == "closed\nlarge\nold\nsmall\n")
  }

  @Test("The superuser of a container may not write to all files either", .needs(.root))
  func restrictedSuperuser() throws {
    let place = try TemporaryDirectory()
    let tree = "\(Self.tree); chown 65534 s/large"
    try runSuccessfully(["bash", "-ec", tree], directory: place.path)
    let names = try names(
      in: place("to"),
      during: [
        "setpriv", "--bounding-set=-dac_override", BuiltProgram.fastcp.path, "-a",
        "\(place("s"))/.", place("to"),
      ]
    )
    #expect(names.isSuperset(of: ["closed", "large", "old", "small"]), "\(names)")
    #expect(try runSuccessfully(["ls", "-A", place("to")]) == "closed\nlarge\nold\nsmall\n")
  }

  @Test("A file that its user may not write to replaces another one by one link", .needs(.root))
  func replacedOnce() throws {
    let place = try TemporaryDirectory()
    let program = try prepare(place)
    let names = try names(
      in: place("to"),
      for: .created,
      during: program + ["-p", "--atomic", place("s/closed"), place("to/old")]
    )
    // A second hidden name would be that of a second copy.
    #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix(".fastcp-") }, "\(names)")
    #expect(try runSuccessfully(["ls", "-A", place("to")]) == "old\n")
    try runSuccessfully(["cmp", place("s/closed"), place("to/old")])
  }
}
