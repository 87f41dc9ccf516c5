import IOChannelsTestSupport
import Synchronization
import Testing

@testable import QueueRuntime

@Suite("Shares of classes")
struct ClassShareTests {
  /// The classes that have threads of their own; `userInteractive` has those of `userInitiated`.
  private static let classes: [WorkQueue.QoS.QoSClass] = [
    .userInitiated, .default, .utility, .background,
  ]

  private final class Item: Sendable {
    let hasEnded = Atomic<Bool>(false)
  }

  /// Uses a processor until other items have ended.
  ///
  /// - Returns: False if they have not ended after a time in which no working pool would fail, so
  ///   that a failed test ends.
  private static func use(until others: [Item]) -> Bool {
    let end = Deadline.now() + .seconds(30)
    while !others.allSatisfy({ $0.hasEnded.load(ordering: .relaxed) }) {
      if Deadline.now() > end { return false }
    }
    return true
  }

  @Test("Items of a class end while those of the others use all their threads (S98, S325)")
  func programs() {
    var generator = SeededGenerator()
    let failures = Atomic<Int>(0)
    for _ in 0..<Tier.count(quick: 20, full: 200) {
      let pool = WorkerPool(name: "share", width: 1, maximumThreadCount: 1)
      let group = WorkGroup()
      var items: [Item] = []
      for _ in 0..<20 {
        let item = Item()
        // Earlier ones only, or two classes could wait for each other.
        let others = items.isEmpty ? [] : [items[generator.number(in: 0..<items.count)]]
        items.append(item)
        group.enter()
        pool.submit(qos: Self.classes[generator.number(in: 0..<Self.classes.count)]) {
          if !Self.use(until: others) { failures.add(1, ordering: .relaxed) }
          item.hasEnded.store(true, ordering: .relaxed)
          group.leave()
        }
      }
      group.wait()
      #expect(failures.load(ordering: .relaxed) == 0)
      if failures.load(ordering: .relaxed) > 0 { return }
    }
  }

  /// The number of ended items of each class when all items of one class have ended.
  private final class Tally: Sendable {
    private let counts: Mutex<[Int]>
    private let target: Int

    init(classes: Int, target: Int) {
      counts = Mutex(Array(repeating: 0, count: classes))
      self.target = target
    }

    var shares: [Int] { counts.withLock { $0 } }

    /// Uses a processor, unless a class has ended already.
    func runItem(of index: Int) {
      if isComplete { return }
      var word = UInt64(index)
      for step in 0..<100_000 as Range<UInt64> { word = (word ^ step) &* 0x9e37_79b9_7f4a_7c15 }
      counts.withLock { if !$0.contains(target) { $0[index] += word == 0 ? 0 : 1 } }
    }

    private var isComplete: Bool { counts.withLock { $0.contains(target) } }
  }

  @Test("When a class has done its work, each of the others has had its share (S325)")
  func shares() {
    var generator = SeededGenerator()
    for _ in 0..<Tier.count(quick: 2, full: 20) {
      let width = generator.number(in: 2..<4)
      let pool = WorkerPool(name: "share", width: width, maximumThreadCount: width)
      let tally = Tally(classes: Self.classes.count, target: 64)
      let group = WorkGroup()
      let items = Self.classes.indices.flatMap { Array(repeating: $0, count: 64) }
      for index in items.shuffled(using: &generator) {
        group.enter()
        pool.submit(qos: Self.classes[index]) {
          tally.runItem(of: index)
          group.leave()
        }
      }
      group.wait()
      // By their nice values, without a privilege 64, 64, 41 and 2. Other load changes them.
      let shares = tally.shares
      #expect(shares.contains(64))
      #expect(shares[0] >= 16 && shares[1] >= 16 && shares[2] >= 8, "\(width): \(shares)")
    }
  }
}
