import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// The pure rules, for all numbers that a file system may report.
///
/// An overflow stops the process, so that a rule passes if it returns.
@Suite("Extreme numbers")
struct ExtremeNumberTests {
  /// Numbers near the ends of the types that statuses have, and near the constants of the rules.
  private struct Numbers {
    private var generator = SeededGenerator(for: "extreme numbers")
    private static let bases: [Int64] = [
      .min, -9_223_372_037, -1_000_000_000, -1, 0, 1, 4096, 65536, 4 << 20, 1 << 30,
      1_000_000_000, 1_000_000_001, 9_223_372_036, 1 << 62, .max,
    ]

    mutating func any() -> Int64 {
      if generator.chance(percent: 10) { return Int64(bitPattern: generator.next()) }
      let base = Self.bases[generator.number(in: 0..<Self.bases.count)]
      let (near, overflows) = base.addingReportingOverflow(Int64(generator.number(in: -3..<4)))
      return overflows ? base : near
    }

    /// A length or number of blocks, which is never negative.
    mutating func amount() -> Int64 { max(any(), 0) }

    mutating func flag() -> Bool { generator.chance(percent: 50) }

    mutating func time() -> FileTime {
      FileTime(seconds: any(), nanoseconds: UInt32(clamping: amount()))
    }

    mutating func status() -> FileStatus {
      let modes: [UInt32] = [0o100644, 0o040755, 0o120777, 0o010644, 0o020644, 0o060644, .max]
      return FileStatus(
        identity: FileIdentity(device: UInt64(bitPattern: any()), inode: UInt64(bitPattern: any())),
        mode: modes[generator.number(in: 0..<modes.count)],
        links: UInt64(bitPattern: any()),
        size: amount(),
        blocks: amount(),
        accessed: time(),
        modified: time(),
        changed: time()
      )
    }
  }

  private static let count = Tier.count(quick: 20_000, full: 2_000_000)

  @Test("Times and statuses have no sum, difference or product that is too large (T9, T51)")
  func times() {
    var numbers = Numbers()
    var options = CopyOptions()
    options.existing.updatesOnly = true
    options.metadata.preserved = [.timestamps, .links]
    for _ in 1...Self.count {
      let (source, found, now) = (numbers.status(), numbers.status(), numbers.any())
      let step = found.modified.stepOfProbe ?? OverwritePlan.likelyTimeStep(of: found)
      #expect((1...2_000_000_000).contains(step))
      let stored = source.modified.stored(inStepsOf: step)
      #expect(!(stored > source.modified))
      _ = ResumeRule.isComplete(found, of: source, timeStep: step)
      let doubtful = ResumeRule.doubtfulTime(for: source.modified)
      #expect(doubtful != source.modified)
      let wait = ResumeRule.wait(before: source, now: now, isLocal: numbers.flag())
      #expect((0...4_000_000_000).contains(wait))
      var plan = OverwritePlan(source: source, found: found, sameFile: .proceed)
      plan.timeStep = step
      _ = plan.decision(OverwriteOptions(options))
      _ = SourceChange(from: source, to: found, count: numbers.amount())
    }
  }

  @Test("Lengths have no sum, difference or product that is too large (T21)")
  func lengths() {
    var numbers = Numbers()
    var options = CopyOptions()
    options.metadata.preserved = [.links]
    var rule = SpaceRule(free: .max)
    let shard = ShardRule(.part(0, of: .max), mayJoinNames: true)
    for _ in 1...Self.count {
      let source = numbers.status()
      let facts = CopyPlan.Facts(
        source: source,
        destinationDevice: source.identity.device,
        isOverwriting: numbers.flag(),
        mayClone: numbers.flag()
      )
      #expect(CopyPlan(facts).methods[0] != nil)
      #expect(source.allocatedBytes >= 0)
      #expect(SourceCount.bytes(of: source, options) >= 0)
      _ = rule.recordWrite(of: source.allocatedBytes)
      _ = shard?.includes(path: "a", source)
      // The wall clock has only times of its range.
      let now: Int64 = 1_800_000_000_000_000_000
      _ = PartialFile.isUnchanged(source, since: now)
      _ = SharedPieces.showsWrites(to: source, after: now, isLocal: true)
    }
  }

  @Test("Pieces of a file end at the largest offset (T21, T27)")
  func pieces() {
    var numbers = Numbers()
    for _ in 1...Self.count {
      let (one, other) = (numbers.amount(), numbers.amount())
      let range = min(one, other)..<max(one, other)
      var window = PieceWindow(range, guess: numbers.amount())
      while let piece = window.begin() {
        #expect(range.contains(piece.lowerBound) && piece.upperBound <= range.upperBound)
      }
    }
  }
}
