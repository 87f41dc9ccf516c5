import IOChannelsSystem
import Testing

@testable import FileCopy

/// The modes with which files are created never grant more than their sources.
@Suite("Mode rules")
struct ModeRulesTests {
  private func rules(
    _ preserved: PreservedAttributes,
    plain: Bool = false,
    isSuperuser: Bool = false
  ) -> ModeRules {
    var options = CopyOptions()
    options.metadata.preserved = preserved
    options.metadata.usesPlainModes = plain
    return ModeRules(options, mask: 0o022, isSuperuser: isSuperuser)
  }

  private func status(_ mode: UInt32) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, inode: 2),
      mode: mode,
      size: 0,
      blocks: 0,
      accessed: FileTime(seconds: 1, nanoseconds: 0),
      modified: FileTime(seconds: 1, nanoseconds: 0),
      changed: FileTime(seconds: 1, nanoseconds: 0)
    )
  }

  @Test("A new directory can be changed only by its owner")
  func directories() {
    let source = status(0o040_775)
    #expect(rules([]).openingMode(for: source) == 0o755)
    #expect(rules(.mode).openingMode(for: source) == 0o700)
    #expect(rules(.ownership).openingMode(for: source) == 0o700)
    #expect(rules([]).openingMode(for: status(0o040_050)) == 0o750)
  }

  @Test("Plain modes do not depend on the source")
  func plain() {
    #expect(rules([], plain: true).plainPermissions(for: status(0o100_777)) == 0o666)
    #expect(rules([], plain: true).plainPermissions(for: status(0o040_700)) == 0o777)
    #expect(rules([]).plainPermissions(for: status(0o100_751)) == 0o751)
    #expect(rules([], plain: true).openingMode(for: status(0o041_700)) == 0o1755)
  }

  @Test("A special file is closed until it has its owner or mode")
  func special() {
    let source = status(0o010_664)
    #expect(rules([]).specialMode(for: source) == 0o010_664)
    #expect(rules(.mode).specialMode(for: source) == 0o010_600)
  }

  @Test("A special file has the special bits of its source, but none that is set later")
  func specialBits() {
    let source = status(0o016_755)
    #expect(rules([]).specialMode(for: source) == 0o016_755)
    #expect(rules([], plain: true).specialMode(for: source) == 0o016_666)
    #expect(rules(.mode).specialMode(for: source) == 0o010_700)
    #expect(rules(.ownership).specialMode(for: source) == 0o010_700)
  }
}
