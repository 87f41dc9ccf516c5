import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Which changes of a directory only the user of a copy can make.
@Suite("Control over directories of the destination")
struct DirectoryControlTests {
  private func status(_ owner: UInt32, _ permissions: UInt32) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, inode: 2),
      mode: 0o040000 | permissions,
      owner: owner,
      group: 7,
      links: 2,
      size: 0,
      blocks: 0,
      accessed: FileTime(seconds: 0, nanoseconds: 0),
      modified: FileTime(seconds: 0, nanoseconds: 0),
      changed: FileTime(seconds: 0, nanoseconds: 0),
      specialDevice: 0
    )
  }

  @Test("A directory is owned by its owner, and private if no other user may write to it (T76)")
  func facts() {
    for (owner, permissions, isOwned, isPrivate) in [
      (5, 0o755, true, true), (5, 0o700, true, true), (5, 0o775, true, false),
      (5, 0o757, true, false), (5, 0o1777, true, false), (6, 0o700, false, false),
    ] as [(UInt32, UInt32, Bool, Bool)] {
      let control = DirectoryControl(of: status(owner, permissions), for: 5)
      #expect(control == DirectoryControl(isOwned: isOwned, isPrivate: isPrivate))
    }
  }

  @Test("A directory is examined again after each release, and all the time during one (T76)")
  func releases() throws {
    let place = try TemporaryDirectory()
    let directory = try BorrowedDescriptor.workingDirectory.open(BytePath(place.path), .directory)
    let releases = DirectoryReleases()
    let known = KnownControl(DirectoryControl(isOwned: true, isPrivate: true), after: nil)
    func isPrivate() -> Bool { known.current(of: directory.borrowed, releases).isPrivate }
    func setMode(_ mode: UInt32) throws(SystemError) {
      try directory.borrowed.setPermissions(mode)
    }
    try setMode(0o700)
    #expect(isPrivate())
    // A change without a release is that of another user, who cannot make it.
    try setMode(0o777)
    #expect(isPrivate())
    var isPrivateMeanwhile: [Bool] = []
    releases.release {
      isPrivateMeanwhile.append(isPrivate())
      try? setMode(0o700)
      isPrivateMeanwhile.append(isPrivate())
      try? setMode(0o777)
    }
    #expect(isPrivateMeanwhile == [false, true])
    #expect(!isPrivate())
  }
}
