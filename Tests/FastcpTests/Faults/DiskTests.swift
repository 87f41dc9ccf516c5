import IOChannelsTestSupport
import Testing

/// Disks that fail, and file systems that go away while they are copied to.
@Suite("Disks", .needs(.root, .fuse, .loop), .ends(withinMinutes: 30))
struct DiskTests {
  /// A file system on a loop device whose image stands on a file system with faults. What it keeps
  /// about its files takes less than 9 MiB, before their bytes.
  private final class BadDisk {
    let faulty: FaultFileSystem
    let path: String
    private let place: TemporaryDirectory

    init() throws {
      faulty = try FaultFileSystem(isDirect: true, in: "/dev/shm")
      place = try TemporaryDirectory()
      path = place("mounted")
      try runSuccessfully(
        [
          "bash", "-ec",
          """
          PATH=$PATH:/sbin; mkdir mounted; truncate -s 64M "$0"
          mkfs.ext4 -q -F -E packed_meta_blocks=1 "$0"; mount -o loop "$1" mounted
          """, "\(faulty.behind)/image", "\(faulty.path)/image",
        ],
        directory: place.path
      )
    }

    deinit {
      try? faulty.setRules()
      _ = try? run(["umount", "-l", path])
    }

    /// Where a file's first block is on the disk, and how long the file is there.
    func place(of file: String) throws -> Range<Int> {
      let text = try runSuccessfully(
        [
          "bash", "-ec",
          "sync -f \"$0\"; /usr/sbin/filefrag -b1 -e \"$0\" | sed -n 's/^ *0: *//p' | tr -d ' '",
          file,
        ]
      )
      let fields = text.split(separator: ":")
      let range = fields.count > 1 ? fields[1].split(separator: ".").compactMap { Int($0) } : []
      guard range.count == 2 else { throw TestFailure("filefrag said: \(text)") }
      return range[0]..<(range[1] + 1)
    }
  }

  @Test("Blocks that cannot be read fail their file and leave nothing of it (F10)")
  func unreadableBlocks() throws {
    let disk = try BadDisk()
    let scene = try Scene()
    try runSuccessfully(
      [
        "bash", "-ec",
        "head -c 2000000 /dev/urandom >bad; head -c 900000 /dev/urandom >good; echo x >small",
      ],
      directory: disk.path
    )
    let range = try disk.place(of: "\(disk.path)/bad")
    let middle = range.lowerBound + 1_200_000
    try disk.faulty.setRules("read image 1+ errno 5 \(middle) \(middle + 4096)")
    for way in Way.allCases {
      try scene.shell("dd if='\(disk.path)/bad' iflag=nocache count=0 status=none")
      let outcome = try way.copy(["-rT", disk.path, scene.place("copy")])
      #expect(outcome.status == 1 && outcome.signal == 0)
      let lines = outcome.errorLines.filter { $0.hasPrefix("fastcp: ") }
      #expect(lines == ["fastcp: error reading '\(disk.path)/bad': Input/output error"])
      #expect(try scene.shell("cd copy; ls -A") == "good\nlost+found\nsmall\n")
      try scene.shell("cmp copy/good '\(disk.path)/good'; rm -rf copy")
    }
  }

  /// The kernel takes the bytes and fails to bring them to the disk when the copy is long over.
  @Test("A disk that cannot be written to is seen by each verification (F10)")
  func unwritableBlocks() throws {
    let disk = try BadDisk()
    let scene = try Scene("head -c 500000 /dev/urandom >source")
    let copy = "\(disk.path)/copy"
    try disk.faulty.setRules("write image 1+ errno 5 \(9 << 20) \(64 << 20)")
    for way in Way.allCases {
      for _ in 0..<Tier.count(quick: 1, full: 100) {
        let outcome = try way.copy(["--verify", scene.place("source"), copy])
        #expect(outcome.status == 1 && outcome.signal == 0, "\(outcome)")
        let lines = outcome.errorLines.filter { $0.hasPrefix("fastcp: ") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasSuffix("': Input/output error") })
        try scene.shell("rm -f '\(copy)'")
      }
    }
    #expect(try scene.copy("source", copy).status == 0, "as with cp, nobody asks")
    try scene.shell("rm -f '\(copy)'")
    // Who asks the disk hears it, and may be the only one who does.
    let dropping = try scene.copy("--drop-cache", "source", copy)
    #expect(dropping.status == 1 && dropping.errorText.contains("Input/output"), "\(dropping)")
    #expect(try scene.shell("ls -A '\(disk.path)'").contains("copy") == false)
  }

  @Test("A disk that cannot be written to is an error of the flush at the end (F10, T54)")
  func unsyncedBlocks() throws {
    let disk = try BadDisk()
    let scene = try Scene("mkdir s; for i in 1 2 3; do head -c 500000 /dev/urandom >s/$i; done")
    try disk.faulty.setRules("write image 1+ errno 5 \(9 << 20) \(64 << 20)")
    for way in Way.allCases {
      // The blocks of a new directory could not be written either, and nothing could be removed.
      let outcome = try way.copy(["-rT", "--sync", scene.place("s"), disk.path])
      #expect(outcome.status == 1 && outcome.signal == 0, "\(outcome)")
      let lines = outcome.errorLines.filter { $0.hasPrefix("fastcp: ") }
      #expect(lines.count == 1, "\(outcome)")
      #expect(
        lines.allSatisfy {
          $0.hasPrefix("fastcp: error syncing '") && $0.hasSuffix("': Input/output error")
        },
        "\(outcome)"
      )
      try scene.shell("rm '\(disk.path)'/[123]")
    }
  }

  @Test("A disk that cannot be written to is an error of each durable file (F10, T53)")
  func unsyncedFiles() throws {
    let disk = try BadDisk()
    let scene = try Scene("mkdir s; for i in 1 2 3; do head -c 500000 /dev/urandom >s/$i; done")
    try disk.faulty.setRules("write image 1+ errno 5 \(9 << 20) \(64 << 20)")
    for _ in 0..<Tier.count(quick: 1, full: 50) {
      let outcome = try scene.copy("-rT", "--durable", "s", disk.path)
      #expect(outcome.status == 1 && outcome.signal == 0, "\(outcome)")
      for name in ["1", "2", "3"] {
        let line = "fastcp: error syncing '\(disk.path)/\(name)': Input/output error"
        #expect(outcome.errorLines.contains(line), "\(outcome)")
      }
      #expect(try scene.shell("ls -A '\(disk.path)'") == "lost+found\n")
    }
  }

  @Test("An existing file whose flush failed earlier is copied again (F10, T51, T53)")
  func unsyncedEqualFile() throws {
    let disk = try BadDisk()
    let scene = try Scene("head -c 500000 /dev/urandom >source; touch -d 2001-01-01 source")
    let copy = "\(disk.path)/copy"
    try disk.faulty.setRules("write image 1+ errno 5 \(9 << 20) \(64 << 20)")
    // From now on only the page cache has the bytes, and no later flush reports an error.
    try scene.shell(
      "cp source '\(copy)'; ! sync '\(copy)' 2>/dev/null; sync -f '\(copy)' 2>/dev/null || :"
    )
    try disk.faulty.setRules()
    let outcome = try scene.copy("--resume", "--durable", "--json", "source", copy)
    #expect(outcome.succeeded, "\(outcome)")
    #expect(try JSONSummary(outcome).number("resumed_bytes") == 0, "\(outcome)")
    try scene.shell("dd if='\(copy)' iflag=nocache count=0 status=none; cmp source '\(copy)'")
  }

  @Test("A disk that fails behind --drop-cache is an error of an equal file too (F10, T31, T51)")
  func unwritableEqualFile() throws {
    let disk = try BadDisk()
    let scene = try Scene("head -c 500000 /dev/urandom >source; touch -d 2001-01-01 source")
    let copy = "\(disk.path)/copy"
    try disk.faulty.setRules("write image 1+ errno 5 \(9 << 20) \(64 << 20)")
    try scene.shell("cp source '\(copy)'")
    let outcome = try scene.copy("--resume", "--drop-cache", "source", copy)
    #expect(outcome.status == 1 && outcome.errorText.contains("Input/output"), "\(outcome)")
  }

  /// Copies to an image and does something to it after the first file was made.
  private func interrupt(_ image: LoopImage, _ script: String) throws {
    let faulty = try FaultFileSystem()
    let scene = try Scene()
    try runSuccessfully(
      [
        "bash", "-ec",
        """
        mkdir d; for i in {1..9}; do echo $i >d/$i; head -c 200000 /dev/zero >d/large$i; done
        """,
      ],
      directory: faulty.behind
    )
    // With one worker, nothing is open for writing while a name of the source is looked up.
    try faulty.setRules("lookup * 12 hang 1")
    let copier = try ChildProcess(
      [BuiltProgram.fastcp.path, "-rT", "--jobs", "1", faulty.path, "\(image.path)/copy"]
    )
    try faulty.waitForUse()
    try scene.shell(script)
    try faulty.setRules()
    let outcome = try copier.wait(timeout: .seconds(30))
    #expect(outcome.status == 1 && outcome.signal == 0, "\(outcome)")
    #expect(!outcome.errors.isEmpty)
    #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("fastcp: ") }, "\(outcome)")
  }

  @Test("A file system that turns read-only ends the copy with errors (F20)")
  func readOnly() throws {
    for _ in 1...Tier.count(quick: 1, full: 25) {
      // On a nearly full one the source would be counted while a file is open for writing.
      let image = try LoopImage(.ext4, megabytes: 256)
      try interrupt(image, "mount -o remount,ro '\(image.path)'")
    }
  }

  @Test("A file system that goes down ends the copy with errors (F20)", .needs(.xfs))
  func shutdown() throws {
    for _ in 1...Tier.count(quick: 1, full: 25) {
      let image = try LoopImage(.xfs, megabytes: 320)
      try interrupt(image, "PATH=$PATH:/usr/sbin; xfs_io -x -c shutdown '\(image.path)'")
    }
  }
}
