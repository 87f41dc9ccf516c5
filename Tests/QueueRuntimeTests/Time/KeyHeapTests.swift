import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Key heap")
struct KeyHeapTests {
  private enum Change: CaseIterable {
    case low, middle, high, removeFirst, removeOldest, removeNewest
  }

  /// A heap and the same keys in no order; slots are used again.
  private struct Pair {
    var heap = KeyHeap()
    var keys: [(slot: Int, key: Int64)] = []
    private var free: [Int] = []

    mutating func add(_ key: Int64) {
      let slot = free.popLast() ?? keys.count
      heap.add(slot, key: key)
      keys.append((slot, key))
    }

    mutating func remove(at index: Int) {
      if index >= keys.count { return }
      let slot = keys.remove(at: index).slot
      heap.remove(slot)
      free.append(slot)
    }

    mutating func removeFirst() {
      guard let first = heap.first else { return }
      remove(at: keys.firstIndex { $0.slot == first.slot } ?? 0)
    }

    mutating func apply(_ change: Change) {
      switch change {
      case .low: add(0)
      case .middle: add(1)
      case .high: add(2)
      case .removeFirst: removeFirst()
      case .removeOldest: remove(at: 0)
      case .removeNewest: remove(at: max(0, keys.count - 1))
      }
    }

    /// Whether the heap gives all slots in order.
    var agrees: Bool {
      var heap = heap
      var rest = Dictionary(uniqueKeysWithValues: keys.map { ($0.slot, $0.key) })
      var last = Int64.min
      while let first = heap.first {
        if first.key < last || rest.removeValue(forKey: first.slot) != first.key { return false }
        last = first.key
        heap.remove(first.slot)
      }
      return rest.isEmpty && heap.count == 0
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
    explore(Pair(), depth: Tier.count(quick: 5, full: 6))
    #expect(histories > 3000)
  }

  @Test("Random changes agree with a list")
  func agreesWithAList() {
    var random = SeededGenerator()
    var pair = Pair()
    for step in 0..<Tier.count(quick: 5_000, full: 100_000) {
      switch random.number(in: 0..<1000) {
      case 0..<510: pair.add(Int64(random.number(in: 0..<300)))
      case 510..<700: pair.removeFirst()
      default: if !pair.keys.isEmpty { pair.remove(at: random.number(in: 0..<pair.keys.count)) }
      }
      #expect(pair.heap.first?.key == pair.keys.map(\.key).min())
      #expect(pair.heap.count == pair.keys.count)
      if step % 50 == 0 { #expect(pair.agrees) }
    }
  }
}
