import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Large files that a later copy continues.
@Suite("Partial files")
struct PartialFileTests {
  private func status(
    size: Int64 = PartialFile.minimumLength,
    mode: UInt32 = 0o100600,
    owner: UInt32 = 7,
    links: UInt64 = 1
  ) -> FileStatus {
    let time = FileTime(seconds: 0, nanoseconds: 0)
    return FileStatus(
      identity: FileIdentity(device: 1, inode: 7),
      mode: mode,
      owner: owner,
      links: links,
      size: size,
      accessed: time,
      modified: time,
      changed: time
    )
  }

  @Test("Only large regular files are continued, and only if that is requested (T52)")
  func used() {
    var options = CopyOptions()
    #expect(!PartialFile.isUsed(for: status(), options))
    options.existing.resumes = true
    #expect(PartialFile.isUsed(for: status(), options))
    #expect(!PartialFile.isUsed(for: status(size: PartialFile.minimumLength - 1), options))
    #expect(!PartialFile.isUsed(for: status(mode: 0o060600), options))
    options.contents.clones = .always
    #expect(!PartialFile.isUsed(for: status(), options))
  }

  @Test("The number of a name finds it again, and differs from that of other names (T52)")
  func numbers() {
    let names = (0..<1000).map { BytePath("file\($0)") }
    #expect(Set(names.map(PartialFile.number(of:))).count == names.count)
    #expect(PartialFile.number(of: "") == 0xcbf2_9ce4_8422_2325)
    #expect(PartialFile.number(of: "a") == 0xaf63_dc4c_8601_ec8d)
    let owner = ProcessIdentity(host: 1, number: 2, start: 3)
    let hidden = HiddenNames.name(PartialFile.number(of: "a"), of: owner)
    #expect(HiddenNames.number(of: hidden) == PartialFile.number(of: "a"))
    #expect(HiddenNames.number(of: ".fastcp-notes") == nil)
  }

  @Test("A file that another user may have opened is not continued (T52)")
  func closed() {
    #expect(PartialFile.isClosed(status(), to: 7))
    #expect(!PartialFile.isClosed(status(), to: 8))
    #expect(!PartialFile.isClosed(status(mode: 0o100640), to: 7))
    #expect(!PartialFile.isClosed(status(mode: 0o120600), to: 7))
    #expect(!PartialFile.isClosed(status(links: 2), to: 7))
  }

  @Test("A file of another boot was last changed before this boot (T52, F13)")
  func earlierBoot() {
    let second: Int64 = 1_000_000_000
    var found = status()
    found.changed = FileTime(seconds: 1000, nanoseconds: 5)
    #expect(PartialFile.isUnchanged(found, since: 1004 * second))
    #expect(!PartialFile.isUnchanged(found, since: 1003 * second))
    #expect(!PartialFile.isUnchanged(found, since: 900 * second))
    for seconds: Int64 in [.min, .max] {
      found.changed.seconds = seconds
      #expect(!PartialFile.isUnchanged(found, since: 1004 * second))
    }
  }

  @Test("A directory is read once, each name is taken once, and the rest is returned (T52)")
  func taken() {
    let owner = ProcessIdentity(host: 1, number: 2, start: 3)
    let names = (1...3).map { HiddenNames.name($0, of: owner) }
    let (files, directory) = (PartialFiles(), FileIdentity(device: 1, inode: 1))
    var reads = 0
    for _ in 1...2 {
      files.add(of: directory) {
        reads += 1
        return names
      }
    }
    #expect(reads == 1)
    #expect(files.take(2, of: directory) == names[1])
    #expect(files.take(2, of: directory) == nil)
    #expect(files.take(1, of: FileIdentity(device: 1, inode: 2)) == nil)
    #expect(files.takeAll(of: directory) == [names[0], names[2]])
    #expect(files.takeAll(of: directory) == [])
  }
}
