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
    "A bit that flips on the disk is found, and no such file keeps a name (F11)",
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
    if !exists { #expect(try place.shell("ls -A \(image.path)") == "lost+found\n") }
  }

  @Test(
    "Whatever carries the bytes, they are read again from the disk",
    .needs(.loop),
    arguments: [CopyMethod.oneShot, .channel, .stream, .sparse, .direct]
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
    let source =
      method == .channel ? place.path("large") : BytePath("\(image.path)/\(name)")
    if method == .channel { try place.shell("cp \(image.path)/large .") }
    let report = FileCopier(options).report(from: source, to: BytePath("\(image.path)/copy"))
    #expect(report.isComplete)
    #expect(report.methodCounts == [method: 1])
    #expect(report.checkCounts == [.disk: 1])
    try place.shell("cmp \(source) \(image.path)/copy")
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
