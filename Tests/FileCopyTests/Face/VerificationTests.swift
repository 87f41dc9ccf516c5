import IOChannels
import Synchronization
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// A copy that is verified is right, or is none.
@Suite("Verification", .ends(withinMinutes: 10))
struct VerificationTests {
  private static var verifying: CopyOptions {
    var options = CopyOptions()
    options.tree.isRecursive = true
    options.contents.verifies = true
    return options
  }

  @Test("The sum is XXH3 with 128 bits, and order and length count")
  func sum() {
    // Digests of the reference implementation.
    let empty = ContentSum().value
    #expect(empty.high == 0x99aa_06d3_0147_98d8)
    #expect(empty.low == 0x6001_c324_468d_497f)
    func sum(_ bytes: [UInt8], cutAt cut: Int) -> ContentSum.Value {
      let sum = ContentSum()
      for part in [bytes[..<cut], bytes[cut...]] {
        for region in DataBuffer(part).regions { sum.add(region.bytes) }
      }
      return sum.value
    }
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = sum(bytes, cutAt: 0)
    #expect(sum(bytes, cutAt: 17) == whole)
    #expect(sum(bytes.reversed(), cutAt: 0) != whole)
    #expect(sum(Array(bytes.dropLast()), cutAt: 0) != whole)
  }

  @Test(
    "A bit that flips on the disk is found, and no such file passes for a copy (F11)",
    .needs(.loop),
    arguments: [5000, 200_000, 3_000_000],
    [false, true]
  )
  func flips(size: Int, exists: Bool) throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let place = try CopyPlace()
    try place.shell(
      """
      { echo 'the bit that flips stands here'; head -c \(size) /dev/urandom; } >f
      if \(exists); then echo old >\(image.path)/f; sync \(image.path)/f; fi
      """
    )
    let flipped = Mutex(0)
    var options = VerificationTests.verifying
    options.observer = CopyObserver(observesResults: true) { event in
      guard case .verifying = event else { return }
      let script = """
        at=$(grep -obUa 'the bit that flips' "$IMAGE" | head -1 | cut -d: -f1)
        printf 'T' | dd of="$IMAGE" bs=1 seek=$at conv=notrunc 2>/dev/null
        """
      let outcome = try? run(
        ["bash", "-ec", script],
        environment: ["IMAGE": String(image.path.dropLast("mounted".count)) + "image"]
      )
      if outcome?.succeeded ?? false { flipped.withLock { $0 += 1 } }
    }
    let report = FileCopier(options).report(
      from: place.path("f"),
      to: BytePath("\(image.path)/f")
    )
    #expect(flipped.withLock { $0 } == 1)
    #expect(report.failures.map(\.problem) == [.verification])
    #expect(report.verifiedFileCount == 0)
    #expect(report.fileCount == 0)
    if !exists {
      #expect(try place.shell("ls -A \(image.path)") == "lost+found\n")
      return
    }
    // An overwritten file stays, and a copy of newer files replaces it.
    #expect(try place.shell("stat -c %Y \(image.path)/f") == "0\n")
    var newer = CopyOptions()
    newer.existing.updatesOnly = true
    let copy = BytePath("\(image.path)/f")
    #expect(FileCopier(newer).report(from: place.path("f"), to: copy).fileCount == 1)
    try place.shell("cmp f \(image.path)/f")
  }

  @Test(
    "Whatever carries the bytes, they are read again from the disk",
    .needs(.loop),
    arguments: [CopyMethod.oneShot, .stream, .sparse, .direct]
  )
  func methods(method: CopyMethod) throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let place = try CopyPlace()
    try place.shell(
      """
      cd \(image.path); head -c 3000001 /dev/urandom >large; echo 1 >small
      truncate -s 2M holes; echo 1 >>holes
      """
    )
    var options = VerificationTests.verifying
    if method == .direct { options.contents.direct = .always }
    let name = method == .oneShot ? "small" : method == .sparse ? "holes" : "large"
    try place.shell("cp \(image.path)/large .")
    // The bytes of another file system are read in their order as well.
    let others = method == .stream ? [place.path("large")] : []
    for source in [BytePath("\(image.path)/\(name)")] + others {
      let report = FileCopier(options).report(from: source, to: BytePath("\(image.path)/copy"))
      #expect(report.isComplete)
      #expect(report.methodCounts == [method: 1])
      #expect(report.checkCounts == [.disk: 1])
      try place.shell("cmp \(source) \(image.path)/copy; rm \(image.path)/copy")
    }
  }

  @Test(
    "A source that is written to during its verification is reported, and its copy stays (T22)",
    arguments: [HoleRule.automatic, .always],
    [false, true]
  )
  func writtenSource(holes: HoleRule, grows: Bool) throws {
    let place = try CopyPlace(in: "/dev/shm")
    try place.shell("head -c 300000 /dev/urandom >f; touch -d 2001-01-01 f")
    let script = grows ? "echo more >>f" : "printf abcd | dd of=f conv=notrunc status=none"
    var options = VerificationTests.verifying
    options.contents.holes = holes
    options.observer = CopyObserver(observesResults: true) { event in
      guard case .verifying = event else { return }
      _ = try? place.shell(script)
    }
    let report = place.copy("f", to: "g", options)
    // With holes the source is read again.
    let isFound = holes == .always && !grows
    let problems: [CopyProblem] = isFound ? [.changed] : []
    #expect(report.failures.map(\.problem) == problems)
    #expect(report.verifiedFileCount == (isFound ? 0 : 1))
    #expect(try place.stat("g", "%s") == "300000")
  }

  @Test("A tolerated change that only the verification finds is a warning (T22)")
  func toleratedSource() throws {
    let place = try CopyPlace(in: "/dev/shm")
    try place.shell("head -c 300000 /dev/urandom >f; touch -d 2001-01-01 f")
    let warnings = Mutex<[CopyProblem]>([])
    var options = VerificationTests.verifying
    // With holes the source is read again.
    options.contents.holes = .always
    options.contents.toleratesChanges = true
    options.observer = CopyObserver(observesResults: true) { event in
      switch event {
      case .verifying: _ = try? place.shell("printf abcd | dd of=f conv=notrunc status=none")
      case .warning(let warning): warnings.withLock { $0.append(warning.problem) }
      default: break
      }
    }
    let report = place.copy("f", to: "g", options)
    #expect(report.isComplete)
    #expect(warnings.withLock { $0 } == [.changed])
    #expect(report.verifiedFileCount == 0)
    #expect(try place.stat("g", "%s") == "300000")
  }

  @Test("Where there is no disk the report names the page cache", .needs(.root))
  func cached() throws {
    let memory = try MemoryFileSystem(kibibytes: 1024)
    let place = try CopyPlace()
    try place.shell("echo 1 >f")
    let report = FileCopier(VerificationTests.verifying).report(
      from: place.path("f"),
      to: BytePath("\(memory.path)/f")
    )
    #expect(report.isComplete)
    #expect(report.checkCounts == [.cached: 1])
  }

  @Test("A clone is verified by its shared blocks", .needs(.xfs))
  func clones() throws {
    let image = try LoopImage(.xfs, megabytes: 320)
    let place = try CopyPlace(in: image.path)
    try place.shell(
      "head -c 1000000 /dev/urandom >f; "
        + "for i in {1..300}; do dd if=/dev/urandom of=parts bs=4096 seek=$((i*3)) count=1 "
        + "conv=notrunc 2>/dev/null; done"
    )
    for name in ["f", "parts"] {
      let report = place.copy(name, to: "copy-\(name)", VerificationTests.verifying)
      #expect(report.methodCounts == [.clone: 1])
      #expect(report.checkCounts == [.shared: 1])
    }
    // The same bytes in other places are no clone.
    try place.shell("cp --reflink=never f other")
    let one = try place.opened("f")
    let two = try place.opened("other")
    let third = try place.opened("copy-f")
    let status = try one.borrowed.status()
    func shares(_ other: BorrowedDescriptor) -> Bool {
      let files = FilePair(
        source: one.borrowed,
        destination: other,
        status: status,
        progress: FileProgress(CopyMonitor())
      )
      return SharedBlocks(files).areAll
    }
    #expect(!shares(two.borrowed))
    #expect(shares(third.borrowed))
  }

  @Test("Where one of two files has data both are read, and a hole has zeros")
  func data() throws {
    let scene = try CopyScene()
    try scene.place.shell(
      """
      truncate -s 1M f; printf x | dd of=f bs=1 seek=500000 conv=notrunc status=none
      cp f zeros; dd if=/dev/zero of=zeros bs=4096 seek=3 count=1 conv=notrunc status=none
      cp f more; printf y | dd of=more bs=1 seek=9000 conv=notrunc status=none
      cp f other; printf y | dd of=other bs=1 seek=500000 conv=notrunc status=none
      cp f longer; truncate -s 2M longer; truncate -s 1M empty
      """
    )
    func agree(_ one: String, _ other: String) throws -> Bool {
      let source = try scene.place.opened(one)
      let copy = try scene.place.opened(other)
      let status = try source.borrowed.status()
      let files = FilePair(
        source: source.borrowed,
        destination: copy.borrowed,
        status: status,
        progress: scene.worker.progress
      )
      return try Verifier(scene.context).hasSameData(files, status.size, scene.item("f"))
    }
    for (one, other) in [("f", "f"), ("f", "zeros"), ("zeros", "f")] {
      #expect(try agree(one, other), "\(one) \(other)")
    }
    for other in ["more", "other", "longer", "empty"] {
      #expect(try !agree("f", other), "\(other)")
      #expect(try !agree(other, "f"), "\(other)")
    }
  }

  @Test("Ranges that are holes in both files are not read (T26)")
  func ranges() throws {
    let place = try CopyPlace(in: "/dev/shm")
    try place.shell(
      """
      truncate -s 15T f; cp f copy
      for at in 1000 1048576000 16492674416000; do
        printf x | dd of=f bs=1 seek=$at conv=notrunc status=none
      done
      printf x | dd of=copy bs=1 seek=3000000 conv=notrunc status=none
      """
    )
    let source = try place.opened("f")
    let copy = try place.opened("copy")
    var ranges = DataRanges(of: source.borrowed, and: copy.borrowed, length: 15 << 40)
    var found: [Range<Int64>] = []
    while let range = ranges.next() { found.append(range) }
    for offset: Int64 in [1000, 3_000_000, 1_048_576_000, 16_492_674_416_000] {
      #expect(found.contains { $0.contains(offset) }, "\(offset) \(found)")
    }
    #expect(found.allSatisfy { $0.lowerBound % 4096 == 0 && $0.upperBound % 4096 == 0 })
    #expect(found.reduce(0) { $0 + $1.count } < 16 << 20, "\(found)")
  }

  @Test("Files of the kernel and FIFOs are verified by what came out of them")
  func streams() throws {
    let place = try CopyPlace()
    var options = VerificationTests.verifying
    options.tree.isRecursive = false
    let report = FileCopier(options).report(from: "/proc/version", to: place.path("v"))
    #expect(report.isComplete)
    #expect(report.verifiedFileCount == 1)
    try place.shell("cmp /proc/version v")
  }
}

extension CopyPlace {
  /// Opens a name for reading.
  func opened(_ name: String) throws -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(path(name), .readOnly)
  }
}
