import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// The disk after a loss of power at any write of a copy.
///
/// The image of the file system stands on a file system that records each write and flush of it, in
/// one order with the output of the copier. A crash leaves all writes before the last flush, and
/// any of the later ones.
@Suite("Crash states", .needs(.root, .loop, .fuse), .ends(withinMinutes: 30))
struct CrashStateTests {
  /// A file system on a recorded disk.
  private final class RecordedDisk {
    let faulty: FaultFileSystem
    let scene: Scene

    private static func megabytes(_ kind: LoopImage.Kind) -> Int {
      switch kind {
      case .ext4: 64
      case .xfs: 320
      case .btrfs: 160
      }
    }

    /// Makes a source `s`, and a file system with older copies of some files in `t`.
    init(_ kind: LoopImage.Kind) throws {
      faulty = try FaultFileSystem(isDirect: true, in: "/dev/shm")
      scene = try Scene(in: "/dev/shm")
      try scene.shell(
        """
        PATH=$PATH:/usr/sbin:/sbin; image='\(faulty.behind)/image'; mkdir -p mounted state s/d/e
        for i in {1..40}; do head -c $((i * 700)) /dev/urandom >s/d/$i; done
        for i in {1..3}; do head -c 300000 /dev/urandom >s/d/e/$i; done
        head -c 3000000 /dev/urandom >s/large
        truncate -s \(RecordedDisk.megabytes(kind))M "$image"
        \(kind.makeCommand.joined(separator: " ")) "$image"
        mount -o loop "$image" mounted; mkdir -p mounted/t/d
        for i in {3..5}; do echo "old $i" >mounted/t/d/$i; done
        (cd mounted/t; md5sum d/*) >old; (cd s; find . -type f -printf '%P\\n' | xargs md5sum) >new
        umount mounted; fallocate --dig-holes "$image"; cp "$image" before
        """
      )
      try faulty.setRules("write * 1+ record 1", "fsync * 1+ record 1")
      try scene.shell("PATH=$PATH:/sbin; mount -o loop '\(faulty.path)/image' mounted")
    }

    deinit {
      // A failed copy leaves it mounted.
      _ = try? scene.shell("umount mounted 2>/dev/null || :; umount state 2>/dev/null || :")
    }

    /// Copies with the terminal as output, so that each report is written at once.
    func copy(_ options: String) throws -> DiskRecord {
      let program = BuiltProgram.fastcp.path
      try runSuccessfully(
        [
          "script", "-qefc",
          "'\(program)' -aT --json --reflink=never \(options) s mounted/t 2>errors",
          "\(faulty.path)/output",
        ],
        environment: ["ASAN_OPTIONS": "detect_leaks=0"],
        directory: scene.place.path,
        timeout: .seconds(300)
      )
      try scene.shell("umount mounted")
      return try DiskRecord(faulty.recordPath)
    }

    /// Creates the disk after a crash, with some of the writes that were not flushed.
    func crash(_ writes: [DiskRecord.Operation]) throws {
      try scene.shell("cp before crashed")
      let path = BytePath(scene.place("crashed"))
      let image = try BorrowedDescriptor.workingDirectory.open(path, .readWrite)
      for write in writes { try CrashedDisk.apply(write, to: image.borrowed) }
    }

    /// Mounts the disk after a crash, which replays its journal, and returns the checksum of each
    /// regular file.
    func filesAfterCrash() throws -> [String: String] {
      let text = try scene.shell(
        """
        PATH=$PATH:/sbin; mount -o loop crashed state; trap 'cd "$OLDPWD"; umount state' EXIT
        cd state/t; find . -type f -printf '%P\\0' | xargs -0 --no-run-if-empty md5sum
        """
      )
      return CrashStateTests.sums(text)
    }
  }

  /// The checksums in the output of `md5sum`, by name.
  private static func sums(_ text: String) -> [String: String] {
    let lines = text.split(separator: "\n").map { $0.split(separator: "  ") }
    let pairs = lines.filter { $0.count == 2 }.map { (String($0[1]), String($0[0])) }
    return Dictionary(pairs) { $1 }
  }

  private static let kinds = LoopImage.Kind.allCases

  private func require(_ kind: LoopImage.Kind) throws {
    switch kind {
    case .ext4: break
    case .xfs: try Need.xfs.orSkip()
    case .btrfs: try Need.btrfs.orSkip()
    }
  }

  @Test(
    "With --durable each reported file is complete, and no other one is partial (T53)",
    arguments: kinds,
    ["--jobs=1", "--jobs=32"]
  )
  func durable(kind: LoopImage.Kind, jobs: String) throws {
    try require(kind)
    let disk = try RecordedDisk(kind)
    let record = try disk.copy("--durable \(jobs)")
    let reports = record.reports(below: "mounted/t/")
    let new = Self.sums(try disk.scene.shell("cat new"))
    let old = Self.sums(try disk.scene.shell("cat old"))
    #expect(Set(reports.keys) == Set(new.keys))
    var random = SeededGenerator()
    let last = record.operations.count
    let points = (1..<Tier.count(quick: 8, full: 200)).map { _ in random.number(in: 0..<last) }
    var crashed = try CrashedDisk(record, image: disk.scene.place("before"))
    for point in (points + [last]).sorted() {
      let writes = try crashed.advance(to: point)
      // All of the writes, none of them, or any.
      let share = [0, 50, 100][random.number(in: 0..<3)]
      try disk.crash(writes.filter { _ in random.chance(percent: share) })
      let found = try disk.filesAfterCrash()
      for (name, sum) in new {
        let isReported = reports[name].map { $0 <= point } ?? false
        let copy = found[name]
        let isAccepted = copy == sum || (!isReported && (copy == nil || copy == old[name]))
        #expect(isAccepted, "\(name) after \(point) of \(last), \(share) % of \(writes.count)")
      }
    }
  }

  @Test("Without --durable a crash loses reported files (T53)", arguments: kinds)
  func notDurable(kind: LoopImage.Kind) throws {
    try require(kind)
    let disk = try RecordedDisk(kind)
    let record = try disk.copy("--jobs=1")
    let reports = record.reports(below: "mounted/t/")
    let new = Self.sums(try disk.scene.shell("cat new"))
    #expect(Set(reports.keys) == Set(new.keys))
    var crashed = try CrashedDisk(record, image: disk.scene.place("before"))
    for point in Set(reports.values).sorted() {
      _ = try crashed.advance(to: point)
      try disk.crash([])
      let found = try disk.filesAfterCrash()
      if reports.contains(where: { $0.value <= point && found[$0.key] != new[$0.key] }) { return }
    }
    Issue.record("no crash has lost a reported file")
  }
}
