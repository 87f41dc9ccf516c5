import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import QueueRuntime
import Testing

@testable import IOChannelsLocks

/// The list as a reference, which `#expect` can hold.
private final class Subject: Sendable {
  private let list = ManyToOneList<Int>()

  func add(_ element: Int) -> Bool { list.add(element) }
  func hold() -> Bool { list.hold() }
  func release() -> Bool { list.release() }
  func takeFirst() -> Int? { list.takeFirst() }
  func takeFirst(ifIs element: Int) -> Int? { list.takeFirst { $0 == element } }
}

@Suite("Many-to-one list")
struct ManyToOneListTests {
  @Test("Elements are returned in order, and the first push is reported")
  func givesElementsInOrderAndTellsTheFirst() {
    let list = Subject()
    #expect(list.add(1))
    #expect(!list.add(2))
    #expect(list.takeFirst() == 1)
    #expect(!list.add(3))
    #expect(!list.release())
    #expect(list.takeFirst(ifIs: 3) == nil)
    #expect(list.takeFirst() == 2)
    #expect(list.takeFirst(ifIs: 3) == 3)
    #expect(list.takeFirst() == nil)
    #expect(list.release())
    #expect(list.hold())
    #expect(!list.hold())
    #expect(!list.add(4))
    #expect(list.takeFirst() == 4)
    #expect(list.release())
    #expect(list.add(5))
  }

  @Test("Elements that remain are released")
  func releasesWhatNobodyTook() {
    final class Token: Sendable {}
    weak var leftInside: Token?
    weak var leftTaken: Token?
    do {
      let list = ManyToOneList<Token>()
      let tokens = [Token(), Token(), Token()]
      leftTaken = tokens[1]
      leftInside = tokens[2]
      _ = list.add(tokens[0])
      _ = list.add(tokens[1])
      _ = list.takeFirst()
      _ = list.add(tokens[2])
    }
    #expect(leftInside == nil)
    #expect(leftTaken == nil)
  }

  @Test("Added and removed elements are counted")
  func countsWhatWasAddedAndTaken() {
    let list = ManyToOneList<Int>()
    var counts = [list.counts]
    for number in 0..<5 { _ = list.add(number) }
    counts.append(list.counts)
    _ = list.takeFirst()
    counts.append(list.counts)
    _ = list.add(5)
    counts.append(list.counts)
    while list.takeFirst() != nil {}
    counts.append(list.counts)
    #expect(counts.map(\.added) == [0, 5, 5, 6, 6])
    #expect(counts.map(\.taken) == [0, 0, 1, 1, 6])
  }

  /// Whoever counts reads elements that the holder would like to free.
  @Test("A count while elements come and go disturbs nothing")
  func countingWhileElementsComeAndGoDisturbsNothing() {
    final class Shared: Sendable {
      let list = ManyToOneList<Int>()
      let isOver = Atomic<Bool>(false)
    }
    let shared = Shared()
    let count = Tier.count(quick: 50_000, full: 5_000_000)
    let group = WorkGroup()
    let faults = Atomic<Int>(0)
    _ = shared.list.hold()
    // On a pool of its own, because it never waits and so keeps a worker.
    let pool = WorkerPool(name: "counting", width: 2, maximumThreadCount: 2)
    let queue = WorkQueue(label: "counting", attributes: .concurrent, pool: pool)
    queue.async(group: group) {
      while !shared.isOver.load(ordering: .relaxed) {
        let (added, taken) = shared.list.counts
        if taken > added || added > count { faults.add(1, ordering: .relaxed) }
      }
    }
    queue.async(group: group) { for number in 0..<count { _ = shared.list.add(number) } }
    var next = 0
    while next < count {
      guard let number = shared.list.takeFirst() else { continue }
      if number != next { faults.add(1, ordering: .relaxed) }
      next += 1
    }
    shared.isOver.store(true, ordering: .relaxed)
    group.wait()
    #expect(faults.load(ordering: .relaxed) == 0)
    #expect(shared.list.counts == (count, count))
  }

  /// Each producer that finds the list free holds it: the holders must exclude each other, and see
  /// each producer's numbers in order and without a gap.
  @Test("Holders exclude each other under load")
  func holdersExcludeEachOtherUnderLoad() throws {
    final class Shared: Sendable {
      let list = ManyToOneList<(producer: Int, number: Int)>()
      let holders = Atomic<Int>(0)
      let seen = Mutex<[Int]>(Array(repeating: 0, count: 4))
      let faults = Atomic<Int>(0)

      func drain() {
        if holders.add(1, ordering: .relaxed).oldValue != 0 { faults.add(1, ordering: .relaxed) }
        while true {
          while let (producer, number) = list.takeFirst() {
            seen.withLock { seen in
              if seen[producer] != number { faults.add(1, ordering: .relaxed) }
              seen[producer] = number + 1
            }
          }
          holders.subtract(1, ordering: .relaxed)
          if list.release() { return }
          holders.add(1, ordering: .relaxed)
        }
      }
    }
    let shared = Shared()
    let group = WorkGroup()
    for producer in 0..<4 {
      group.enter()
      try PlatformThread.start(name: "producer") {
        for number in 0..<25_000 {
          if shared.list.add((producer, number)) { shared.drain() }
        }
        group.leave()
      }
    }
    group.wait()
    #expect(shared.faults.load(ordering: .relaxed) == 0)
    #expect(shared.seen.withLock { $0 } == [25_000, 25_000, 25_000, 25_000])
  }
}

@Suite("Hold word")
struct HoldWordTests {
  /// Walks all words reachable by at most four additions and checks the rules at each.
  @Test("A list with elements always has one holder")
  func aListWithElementsAlwaysHasOneHolder() {
    struct State: Hashable {
      var bits: UInt
      var elements: Int
      var isHeld: Bool
    }
    var open = [State(bits: HoldWord.free.bits, elements: 0, isHeld: false)]
    var known = Set(open)
    while let state = open.popLast() {
      let word = HoldWord(bits: state.bits)
      #expect(word.isHeld == state.isHeld)
      #expect((word.newest != 0) == (state.elements > 0))
      #expect((word.releasing != nil) == (state.isHeld && state.elements == 0))
      #expect((word.holding != nil) == !state.isHeld)
      var next: [State] = []
      if state.elements < 4 {
        let address = UInt(64 + 16 * state.elements)
        let (added, link, isFirst) = word.adding(address)
        #expect(link == word.newest)
        #expect(isFirst == !state.isHeld)
        next.append(State(bits: added.bits, elements: state.elements + 1, isHeld: true))
      }
      if let released = word.releasing {
        next.append(State(bits: released.bits, elements: 0, isHeld: false))
      }
      if let held = word.holding {
        next.append(State(bits: held.bits, elements: 0, isHeld: true))
      }
      if state.isHeld {
        next.append(State(bits: HoldWord.held.bits, elements: 0, isHeld: true))
      }
      for state in next where known.insert(state).inserted { open.append(state) }
    }
    #expect(known.count == 6)
  }
}
