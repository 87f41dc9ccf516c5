import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Key heap")
struct KeyHeapTests {
  /// What a heap can be told: to add a key, to remove the first, to remove all of a slot.
  private enum Change: CaseIterable {
    case low, middle, high, removeFirst, removeEven
  }

  /// A heap and the same entries in no order; slots are numbered as they come.
  private struct Pair {
    var heap = KeyHeap()
    var entries: [KeyHeap.Entry] = []
    var added: UInt32 = 0

    mutating func add(_ key: Int64) {
      let entry = KeyHeap.Entry(key: key, slot: added, version: 1)
      added += 1
      heap.add(entry)
      entries.append(entry)
    }

    mutating func removeFirst() {
      if let first = heap.first { entries.removeAll { $0 == first } }
      heap.removeFirst()
    }

    mutating func removeEven() {
      heap.removeAll { $0.slot % 2 == 0 }
      entries.removeAll { $0.slot % 2 == 0 }
    }

    mutating func apply(_ change: Change) {
      switch change {
      case .low: add(0)
      case .middle: add(1)
      case .high: add(2)
      case .removeFirst: removeFirst()
      case .removeEven: removeEven()
      }
    }

    /// Whether the heap gives all entries in order.
    var agrees: Bool {
      var heap = heap
      var slots = Set(entries.map(\.slot))
      var last = Int64.min
      while let entry = heap.first {
        if entry.key < last || slots.remove(entry.slot) == nil { return false }
        last = entry.key
        heap.removeFirst()
      }
      return slots.isEmpty && heap.count == 0
    }
  }

  @Test("Every short history returns the entries in order")
  func everyShortHistoryGivesTheEntriesInOrder() {
    var histories = 0
    func explore(_ pair: Pair, depth: Int) {
      histories += 1
      #expect(pair.agrees)
      if depth == 0 { return }
      for change in Change.allCases {
        var next = pair
        next.apply(change)
        explore(next, depth: depth - 1)
      }
    }
    explore(Pair(), depth: Tier.count(quick: 5, full: 8))
    #expect(histories > 3000)
  }

  @Test("Random changes agree with a list")
  func agreesWithAList() {
    var random = SeededGenerator()
    var pair = Pair()
    for step in 0..<Tier.count(quick: 5_000, full: 100_000) {
      switch random.number(in: 0..<1000) {
      case 0..<600: pair.add(Int64(random.number(in: 0..<300)))
      case 600..<995: pair.removeFirst()
      default: pair.removeEven()
      }
      #expect(pair.heap.first?.key == pair.entries.map(\.key).min())
      #expect(pair.heap.count == pair.entries.count)
      if step % 50 == 0 { #expect(pair.agrees) }
    }
  }
}
