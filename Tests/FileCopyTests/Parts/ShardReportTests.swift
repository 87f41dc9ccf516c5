import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Reports of parts in a directory that other processes change.
@Suite("Reports of parts", .ends(withinMinutes: 1))
struct ShardReportTests {
  private static let part = ShardReports.Part(index: 0, count: 2)

  private func withReports(
    _ script: String,
    _ body: (ShardReports, TemporaryDirectory) throws -> Void
  ) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-ec", script], directory: place.path)
    let directory = try openFile(place("t"), [.readOnly, .directory])
    try body(ShardReports(in: directory.borrowed, "t"), place)
  }

  @Test(
    "A report replaces what has its name, and opens nothing (T69)",
    arguments: [
      "mkfifo t/.fastcp-part-0-of-2", "ln precious t/.fastcp-part-0-of-2",
      "ln -s ../precious t/.fastcp-part-0-of-2",
    ]
  )
  func replaced(script: String) throws {
    try withReports("mkdir t; echo kept >precious; \(script)") { reports, place in
      let name = place("t/.fastcp-part-0-of-2")
      // An opened FIFO would have a reader, so that nothing hangs.
      let reader = try openFile(name, [.readWrite])
      try reports.add(Self.part, files: 3)
      #expect(reader.borrowed.rawValue > 2)
      let shown = try runSuccessfully(
        ["sh", "-c", "stat -c '%F %h' \"$1\"; cat \"$1\" precious", "-", name],
        directory: place.path
      )
      #expect(shown == "regular file 1\npart 0 of 2: 3 files\nkept\n")
      #expect(try reports.all() == [Self.part])
    }
  }

  @Test("Only regular files are reports (T69)")
  func otherKinds() throws {
    try withReports(
      """
      mkdir t; cd t; echo >.fastcp-part-0-of-5; mkfifo .fastcp-part-1-of-5
      ln -s .fastcp-part-0-of-5 .fastcp-part-2-of-5; mkdir .fastcp-part-3-of-5
      ln -s /dev/zero .fastcp-part-4-of-5
      """
    ) { reports, _ in
      let found = try reports.all()
      #expect(found == [ShardReports.Part(index: 0, count: 5)])
    }
  }

  @Test(
    "A file system that does not rename has reports, too (T69)",
    .needs(.root, .fuse),
    arguments: ["rename * 1+ errno 1", "link * 1+ errno 1"]
  )
  func withoutRename(rule: String) throws {
    let faulty = try FaultFileSystem()
    try faulty.setRules(rule)
    let directory = try openFile(faulty.path, [.readOnly, .directory])
    let reports = ShardReports(in: directory.borrowed, "t")
    for _ in 1...2 { try reports.add(Self.part, files: 1) }
    #expect(try reports.all() == [Self.part])
    #expect(try runSuccessfully(["ls", "-A", faulty.behind]) == ".fastcp-part-0-of-2\n")
  }
}
