import QueueRuntime
import Synchronization
import IOChannelsSystem
import Testing

@Suite("Queues under load")
struct StressTests {
  /// A generator that gives the same numbers for the same seed.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  /// What happened on one queue.
  private final class Ledger: Sendable {
    let queue: WorkQueue
    let isSerial: Bool
    let inside = Atomic<Int>(0)
    let runs = Atomic<Int>(0)
    let faults = Atomic<Int>(0)
    let lastOf = Mutex<[Int: Int]>([:])

    init(number: Int) {
      isSerial = number % 2 == 0
      queue = WorkQueue(label: "stress \(number)", attributes: isSerial ? [] : .concurrent)
    }

    /// Notes one run; an exclusive one must be alone, and behind its producer's earlier ones.
    func note(producer: Int, number: Int, isExclusive: Bool) {
      let others = inside.add(1, ordering: .relaxed).oldValue
      if isExclusive {
        lastOf.withLock { last in
          if others != 0 || last[producer, default: -1] >= number {
            faults.add(1, ordering: .relaxed)
          }
          last[producer] = number
        }
      }
      runs.add(1, ordering: .relaxed)
      inside.subtract(1, ordering: .relaxed)
    }
  }

  @Test(
    "Many producers on many queues lose no item",
    arguments: [UInt64.random(in: 0 ..< .max), 1]
  )
  func manyProducersOnManyQueues(seed: UInt64) throws {
    print("stress seed \(seed)")
    let ledgers = (0..<16).map { Ledger(number: $0) }
    let perProducer = 12_500
    let all = WorkGroup()
    for producer in 0..<4 {
      all.enter()
      try PlatformThread.start(name: "producer") {
        var generator = Generator(state: seed &+ UInt64(producer))
        for number in 0..<perProducer {
          let ledger = ledgers[Int.random(in: 0..<16, using: &generator)]
          let isBarrier = Int.random(in: 0..<4, using: &generator) == 0
          let isExclusive = ledger.isSerial || isBarrier
          let flags: WorkItem.Flags = isBarrier ? .barrier : []
          if Int.random(in: 0..<8, using: &generator) == 0 {
            ledger.queue.sync(flags: flags) {
              ledger.note(producer: producer, number: number, isExclusive: isExclusive)
            }
          } else {
            ledger.queue.async(group: all, flags: flags) {
              ledger.note(producer: producer, number: number, isExclusive: isExclusive)
            }
          }
        }
        all.leave()
      }
    }
    all.wait()
    #expect(ledgers.reduce(0) { $0 + $1.runs.load(ordering: .relaxed) } == 4 * perProducer)
    #expect(ledgers.reduce(0) { $0 + $1.faults.load(ordering: .relaxed) } == 0)
  }

  @Test("Queues that submit to each other lose no item")
  func queuesThatGiveEachOtherWork() {
    let queues = (0..<8).map { number in
      WorkQueue(label: "ring \(number)", attributes: number % 3 == 0 ? .concurrent : [])
    }
    let count = Atomic<Int>(0)
    let all = WorkGroup()
    @Sendable func hop(_ left: Int) {
      count.add(1, ordering: .relaxed)
      if left > 0 { queues[left % 8].async(group: all) { hop(left - 1) } }
    }
    for start in 0..<4 { queues[start].async(group: all) { hop(5000) } }
    all.wait()
    #expect(count.load(ordering: .relaxed) == 4 * 5001)
  }

  @Test("Threads in sync exclude each other and the items")
  func threadsInSyncExcludeEachOtherAndTheItems() throws {
    let queue = WorkQueue(label: "sync")
    final class Cell: Sendable {
      let value = Atomic<Int>(0)
      func increase() {
        // Two steps, so that two at once lose one.
        value.store(value.load(ordering: .relaxed) + 1, ordering: .relaxed)
      }
    }
    let cell = Cell()
    let all = WorkGroup()
    for _ in 0..<4 {
      all.enter()
      try PlatformThread.start(name: "sync") {
        for number in 0..<5000 {
          if number % 5 == 0 {
            queue.async(group: all) { cell.increase() }
          } else {
            queue.sync { cell.increase() }
          }
        }
        all.leave()
      }
    }
    all.wait()
    #expect(cell.value.load(ordering: .relaxed) == 20_000)
  }
}
