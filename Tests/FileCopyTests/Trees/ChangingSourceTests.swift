import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// What counts as a source that changed while it was read.
@Suite("Changing sources")
struct ChangingSourceTests {
  private func status(
    size: Int64,
    modified: Int64 = 1,
    changed: Int64 = 1,
    blocks: Int64 = 8
  ) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, inode: 2),
      mode: 0o100644,
      size: size,
      blocks: blocks,
      accessed: FileTime(seconds: 1, nanoseconds: 0),
      modified: FileTime(seconds: modified, nanoseconds: 5),
      changed: FileTime(seconds: changed, nanoseconds: 0)
    )
  }

  @Test("Length and modification time show a change, the change time does not (T22)")
  func comparison() {
    let before = status(size: 10, modified: 1, changed: 1)
    #expect(status(size: 10, modified: 1, changed: 9).hasSameContent(as: before))
    #expect(!status(size: 11, modified: 1, changed: 1).hasSameContent(as: before))
    #expect(!status(size: 10, modified: 2, changed: 1).hasSameContent(as: before))
  }

  @Test("Length, modification time and blocks decide on a source (T22)")
  func facts() {
    let before = status(size: 10)
    func change(_ after: FileStatus, _ count: Int64 = 10) -> SourceChange {
      SourceChange(from: before, to: after, count: count)
    }
    #expect(change(before) == .none)
    #expect(change(status(size: 10, changed: 9)) == .none)
    #expect(change(status(size: 10, modified: 2)) == .undecided)
    #expect(change(status(size: 11)) == .changed)
    #expect(change(status(size: 9)) == .cutOff)
    #expect(change(status(size: 0, blocks: 0)) == .cutOff)
    #expect(change(status(size: 9), 9) == .changed)
    #expect(change(before, 9) == .changed)
  }

  @Test("A generated file has no blocks, and its time and length mean nothing (T21, T22)")
  func generated() {
    func change(_ size: Int64, _ later: Int64, _ count: Int64) -> SourceChange {
      SourceChange(
        from: status(size: size, blocks: 0),
        to: status(size: later, modified: 2, blocks: 0),
        count: count
      )
    }
    #expect(change(0, 0, 5000) == .none)
    #expect(change(4096, 4096, 12) == .none)
    #expect(change(100, 101, 100) == .none)
    #expect(change(100, 101, 101) == .none)
    #expect(change(100, 101, 50) == .changed)
    #expect(change(100, 99, 100) == .cutOff)
    #expect(change(100, 0, 100) == .cutOff)
  }

  @Test("A copy that is longer than a source that did not change is wrong (T21)")
  func tooLong() {
    func change(_ size: Int64, _ later: FileStatus, blocks: Int64 = 8) -> SourceChange {
      SourceChange(from: status(size: size, blocks: blocks), to: later, count: 13)
    }
    #expect(change(10, status(size: 10)) == .tooLong)
    #expect(change(0, status(size: 0)) == .tooLong)
    #expect(change(10, status(size: 10, blocks: 0), blocks: 0) == .tooLong)
    // One that was written may have been longer in between.
    #expect(change(10, status(size: 10, modified: 2)) == .cutOff)
    #expect(change(10, status(size: 12)) == .cutOff)
    #expect(change(12, status(size: 10)) == .cutOff)
  }

  @Test("A further name that is made meanwhile is no change (T22)")
  func furtherName() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      head -c 40000000 /dev/urandom >f; : >run
      (while [ -e run ]; do ln f name; rm name; done) >/dev/null 2>&1 &
      """
    )
    defer { _ = try? place.shell("rm run") }
    for _ in 1...3 {
      #expect(place.texts(place.copy("f", to: "g", CopyOptions())) == [])
    }
  }

  @Test("A source that shrinks ends the copy and is reported (T22)", .ends(withinMinutes: 10))
  func shrinking() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      head -c 3000000 /dev/zero >whole; cp whole f; : >run
      (while [ -e run ]; do truncate -s 1000 f; cat whole >f; done) >/dev/null 2>&1 &
      """
    )
    defer { _ = try? place.shell("rm run") }
    for _ in 1...10 {
      let report = place.copy("f", to: "g", CopyOptions())
      #expect(report.failures.allSatisfy { $0.problem == .changed }, "\(report.failures)")
    }
  }

  @Test("An existing file keeps its mode where only the owner is preserved (T15)", .needs(.root))
  func ownerOnly() throws {
    let place = try CopyPlace()
    try place.shell("echo x >f; chown 12:34 f; chmod 600 f; echo y >g; chmod 664 g")
    var options = CopyOptions()
    options.metadata.preserved = .ownership
    #expect(place.copy("f", to: "g", options).isComplete)
    #expect(try place.stat("g", "%a %u %g") == "664 12 34")
  }
}
