import IOChannelsTestSupport
import Testing

@testable import EventSources

/// One change of a file or directory and the events that report it.
struct FileChange: Sendable {
  let name: String
  /// The commands that prepare the place, in which the file `f` with 5 bytes and the empty
  /// directory `d` are.
  var setup = ":"
  let command: String
  var path = "f"
  let events: EventSource.FileSystemEvent

  static let ofFiles: [FileChange] = [
    .init(name: "append", command: "printf x >>f", events: [.write, .extend]),
    .init(
      name: "overwrite",
      command: "printf J | dd of=f conv=notrunc status=none",
      events: .write
    ),
    .init(name: "truncate", command: "truncate -s 2 f", events: .write),
    .init(name: "truncate to the same size", command: "truncate -s 5 f", events: .write),
    .init(name: "truncate to more", command: "truncate -s 9 f", events: [.write, .extend]),
    .init(name: "open with truncation", command: ": >f", events: .write),
    .init(name: "allocate", command: "fallocate -l 9000 f", events: [.write, .extend]),
    .init(name: "punch a hole", command: "fallocate -p -o 0 -l 2 f", events: .write),
    .init(name: "copy_file_range", command: "cp /etc/passwd f", events: [.write, .extend]),
    .init(name: "chmod", command: "chmod 600 f", events: .attrib),
    .init(name: "chown", command: "chown 1:1 f", events: .attrib),
    .init(name: "utimens", command: "touch f", events: .attrib),
    // The kernel reports a new time of modification alone as a modification.
    .init(name: "utimens of the modification", command: "touch -m f", events: .write),
    .init(name: "setxattr", command: "setfattr -n trusted.x -v 1 f", events: .attrib),
    .init(name: "utimens of the access", command: "touch -a f", events: []),
    .init(name: "read", command: "cat f", events: []),
    .init(name: "flock", command: "flock f true", events: []),
    .init(name: "link", command: "ln f g", events: .link),
    .init(
      name: "unlink of one of two names",
      setup: "ln f g",
      command: "rm g",
      events: [.delete, .link]
    ),
    .init(name: "unlink of the last name", command: "rm f", events: [.delete, .link]),
    .init(name: "rename over", setup: ": >g", command: "mv -f g f", events: [.delete, .link]),
    .init(name: "rename", command: "mv f g", events: .rename),
    .init(name: "rename into a directory", command: "mv f d", events: .rename),
  ]

  static let ofDirectories: [FileChange] = [
    .init(name: "create", command: ": >d/a", path: "d", events: .write),
    .init(name: "mkdir", command: "mkdir d/a", path: "d", events: [.write, .link]),
    .init(name: "remove", setup: ": >d/a", command: "rm d/a", path: "d", events: .write),
    .init(
      name: "rmdir inside",
      setup: "mkdir d/a",
      command: "rmdir d/a",
      path: "d",
      events: [.write, .link]
    ),
    .init(name: "move in", command: "mv f d", path: "d", events: .write),
    .init(name: "move out", setup: ": >d/a", command: "mv d/a .", path: "d", events: .write),
    .init(name: "write inside", setup: ": >d/a", command: "echo >>d/a", path: "d", events: []),
    .init(name: "chmod inside", setup: ": >d/a", command: "chmod 1 d/a", path: "d", events: []),
    .init(name: "chmod", command: "chmod 711 d", path: "d", events: .attrib),
    .init(
      name: "chmod after mkdir",
      setup: "mkdir d/a",
      command: "chmod 711 d",
      path: "d",
      events: .attrib
    ),
    .init(name: "rename", command: "mv d e", path: "d", events: .rename),
    .init(name: "rmdir", command: "rmdir d", path: "d", events: [.delete, .link]),
    .init(name: "rmdir of another", setup: "mkdir e", command: "rmdir e", path: "d", events: []),
  ]
}

@Suite("Changes of files, on each kind of file system", .ends(withinMinutes: 5))
struct FileSystemGoldenTests {
  @Test("Memory", .needs(.root))
  func memory() async throws {
    let place = try MemoryFileSystem(kibibytes: 4096)
    try await check(in: place.path)
  }

  @Test("ext4", .needs(.loop))
  func ext4() async throws {
    let place = try LoopImage(.ext4, megabytes: 16)
    try await check(in: place.path)
  }

  @Test("xfs", .needs(.xfs))
  func xfs() async throws {
    let place = try LoopImage(.xfs, megabytes: 320)
    try await check(in: place.path)
  }

  @Test("btrfs", .needs(.btrfs))
  func btrfs() async throws {
    let place = try LoopImage(.btrfs, megabytes: 160)
    try await check(in: place.path)
  }

  @Test("An overlay", .needs(.fileSystems))
  func overlay() async throws {
    let place = try MountedFileSystem(.overlay, files: ["file": [1]])
    try await check(in: place.path)
  }

  private func check(in place: String) async throws {
    for (index, change) in (FileChange.ofFiles + FileChange.ofDirectories).enumerated() {
      let directory = "\(place)/\(index)"
      let prepared = "mkdir \(directory); cd \(directory); printf hello >f; mkdir d; "
      try runSuccessfully(["sh", "-ec", prepared + change.setup])
      let watched = try WatchedFile("\(directory)/\(change.path)")
      do {
        try await check(change, watched, in: directory)
      } catch {
        Issue.record("\(change.name): \(error)")
      }
      try await watched.cancel()
    }
  }

  private func check(
    _ change: FileChange,
    _ watched: WatchedFile,
    in directory: String
  ) async throws {
    try runSuccessfully(["sh", "-ec", change.command], directory: directory)
    try await watched.reach(change.events)
    // A change that is certainly reported follows, so that no further events are on their way.
    let last: EventSource.FileSystemEvent
    if change.events.contains(.attrib) {
      last = change.path == "f" ? .write : .rename
      let command = change.path == "f" ? "truncate -s 5 f" : "mv d elsewhere"
      try runSuccessfully(["sh", "-ec", command], directory: directory)
    } else {
      last = .attrib
      try watched.file.borrowed.setPermissions(0o701)
    }
    try await watched.reach(last)
    #expect(watched.events == change.events.union(last), "\(change.name)")
  }
}
