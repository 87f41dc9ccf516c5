import IOChannelsSystem
import Testing

@testable import FileCopy

/// How a file is copied follows from facts alone.
@Suite("Plan of a copy")
struct CopyPlanTests {
  private func status(
    size: Int64,
    blocks: Int64? = nil,
    mode: UInt32 = 0o100644,
    device: UInt64 = 1
  ) -> FileStatus {
    let time = FileTime(seconds: 0, nanoseconds: 0)
    return FileStatus(
      identity: FileIdentity(device: device, inode: 7),
      mode: mode,
      size: size,
      blocks: blocks ?? (size + 511) / 512,
      accessed: time,
      modified: time,
      changed: time
    )
  }

  private func plan(
    _ source: FileStatus,
    to device: UInt64 = 1,
    overwriting: Bool = false,
    mayClone: Bool = true,
    copiesInKernel: Bool = false
  ) -> CopyPlan {
    var facts = CopyPlan.Facts(
      source: source,
      destinationDevice: device,
      isOverwriting: overwriting,
      mayClone: mayClone
    )
    facts.copiesInKernel = copiesInKernel
    return CopyPlan(facts)
  }

  @Test("Up to the limit a file is read and written at once, in place", arguments: [0, 1, 65536])
  func small(size: Int64) {
    for device in [UInt64(1), 2] {
      #expect(plan(status(size: size), to: device, mayClone: false).list == [.oneShot])
      #expect(plan(status(size: size), to: device).list == [.clone, .oneShot])
    }
    #expect(plan(status(size: size)).appearance == .inPlace)
  }

  @Test("Beyond the limit blocks are shared, else the kernel copies where it may gain, else we do")
  func large() {
    let large = status(size: 65537)
    #expect(plan(large).list == [.clone, .stream])
    #expect(plan(large, copiesInKernel: true).list == [.clone, .kernel, .stream])
    #expect(plan(large, copiesInKernel: true).copiesInKernel)
    #expect(plan(large).appearance == .atOnce)
    #expect(plan(large, mayClone: false).list == [.stream])
    let kernel = plan(large, mayClone: false, copiesInKernel: true)
    #expect(kernel.list == [.kernel, .stream])
  }

  @Test("Between file systems the kernel does not copy")
  func devices() {
    #expect(!plan(status(size: 65537), to: 2, copiesInKernel: true).copiesInKernel)
    #expect(plan(status(size: 65537), to: 2).list == [.clone, .stream])
    #expect(plan(status(size: 65537), to: 2, mayClone: false).list == [.stream])
  }

  @Test("All bytes of a copy that is listed pass through the process, or it is a clone (T66)")
  func listed() {
    var facts = CopyPlan.Facts(
      source: status(size: 200_000_000),
      destinationDevice: 2,
      isOverwriting: false,
      mayClone: true
    )
    facts.isListed = true
    facts.isDirect = true
    facts.copiesInKernel = true
    #expect(CopyPlan(facts).list == [.clone, .stream])
    facts.isSameFileSystem = true
    #expect(CopyPlan(facts).list == [.clone, .stream])
    facts.isSparse = true
    #expect(CopyPlan(facts).list == [.clone, .sparse, .stream])
    #expect(!CopyPlan(facts).copiesInKernel)
  }

  @Test("Holes are looked for where blocks are missing, never in place of a clone (T26, T27)")
  func sparse() {
    let sparse = status(size: 1 << 30, blocks: 8)
    #expect(plan(sparse).list == [.clone, .sparse, .stream])
    #expect(plan(sparse, to: 2, mayClone: false).list == [.sparse, .stream])
    #expect(plan(status(size: 40_000, blocks: 8), mayClone: false).list == [.sparse, .oneShot])
    // A file within its last block may have none of its own.
    #expect(plan(status(size: 100, blocks: 0), mayClone: false).list == [.oneShot])
  }

  @Test("An existing file keeps its identity, whatever its size")
  func overwriting() {
    #expect(plan(status(size: 1), overwriting: true).appearance == .overwriting)
    #expect(plan(status(size: 1 << 20), overwriting: true).appearance == .overwriting)
  }

  @Test("Other files than regular ones are streamed, for their lengths mean nothing (T21)")
  func devicesAreStreamed() {
    let fifo = plan(status(size: 0, mode: 0o010644))
    #expect(fifo.list == [.stream])
    #expect(fifo.appearance == .inPlace)
  }

  @Test("Requests for clones, holes or neither are followed (T24, T25, T26)")
  func requests() {
    func plan(_ source: FileStatus, _ clones: CloneRule, _ holes: HoleRule, to device: UInt64 = 1)
      -> [CopyMethod]
    {
      var facts = CopyPlan.Facts(
        source: source,
        destinationDevice: device,
        isOverwriting: false,
        mayClone: true
      )
      facts.copiesInKernel = true
      (facts.clones, facts.holes) = (clones, holes)
      let plan = CopyPlan(facts)
      #expect(!plan.copiesInKernel)
      return plan.list
    }
    let (small, large) = (status(size: 100), status(size: 1 << 20))
    let sparse = status(size: 1 << 30, blocks: 8)
    for source in [small, large, sparse] {
      #expect(plan(source, .always, .automatic) == [.clone])
      #expect(plan(source, .automatic, .always) == [.nonZero])
      #expect(plan(source, .never, .always, to: 2) == [.nonZero])
    }
    #expect(plan(large, .never, .automatic) == [.stream])
    #expect(plan(sparse, .never, .automatic) == [.sparse, .stream])
    #expect(plan(sparse, .automatic, .never) == [.stream])
    #expect(plan(sparse, .automatic, .never, to: 2) == [.stream])
    #expect(plan(small, .never, .never) == [.oneShot])
  }

  @Test("A file that must be a clone is created under its name, as with cp (T25)")
  func requestedClone() {
    var facts = CopyPlan.Facts(
      source: status(size: 1 << 20),
      destinationDevice: 1,
      isOverwriting: false,
      mayClone: true
    )
    #expect(CopyPlan(facts).appearance == .atOnce)
    facts.areSharing = true
    #expect(CopyPlan(facts).appearance == .inPlace && CopyPlan(facts).clonesInPlace)
    facts.isAtomic = true
    #expect(CopyPlan(facts).appearance == .atOnce && !CopyPlan(facts).clonesInPlace)
    (facts.isAtomic, facts.holes) = (false, .never)
    #expect(CopyPlan(facts).appearance == .atOnce && !CopyPlan(facts).clonesInPlace)
    (facts.areSharing, facts.holes) = (false, .automatic)
    facts.clones = .always
    #expect(CopyPlan(facts).appearance == .inPlace)
    facts.isAtomic = true
    #expect(CopyPlan(facts).appearance == .atOnce)
    (facts.isAtomic, facts.isOverwriting) = (false, true)
    #expect(CopyPlan(facts).appearance == .overwriting)
  }

  @Test("Nothing but a regular file gets holes, or bytes out of order (T34)", arguments: [1, 2])
  func devicesHaveNoHoles(device: UInt64) {
    var facts = CopyPlan.Facts(
      source: status(size: 1 << 30, blocks: 8),
      destinationDevice: device,
      isOverwriting: true,
      mayClone: true
    )
    facts.copiesInKernel = true
    facts.isDirect = true
    facts.hasHoles = false
    #expect(CopyPlan(facts).list == [.stream])
    #expect(!CopyPlan(facts).copiesInKernel)
    facts.holes = .always
    #expect(CopyPlan(facts).list == [.stream])
    facts.size = 100
    #expect(CopyPlan(facts).list == [.oneShot])
  }
}

extension CopyPlan {
  fileprivate var list: [CopyMethod] { methods.indices.compactMap { methods[$0] } }
}
