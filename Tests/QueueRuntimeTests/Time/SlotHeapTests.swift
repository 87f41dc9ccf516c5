import TestSupport
import Testing

@testable import QueueRuntime

@Suite struct SlotHeapTests {
  /// Every change that a heap of few slots and keys allows.
  private static let changes: [(slot: Int, key: Int64?)] = (0..<4).flatMap { slot in
    ([nil, 0, 1, 2] as [Int64?]).map { (slot, $0) }
  }

  private static func apply(
    _ change: (slot: Int, key: Int64?),
    to heap: inout SlotHeap,
    _ keys: inout [Int: Int64]
  ) {
    keys[change.slot] = change.key
    if let key = change.key { heap.set(change.slot, to: key) } else { heap.remove(change.slot) }
  }

  /// Takes all slots out of a copy and compares them with what is inside.
  private static func check(_ heap: SlotHeap, _ keys: [Int: Int64]) -> Bool {
    var heap = heap
    var left = keys
    var smallest = Int64.min
    while let (slot, key) = heap.first {
      if left.removeValue(forKey: slot) != key || key < smallest { return false }
      smallest = key
      heap.remove(slot)
    }
    return left.isEmpty && heap.count == 0
  }

  @Test func everyShortHistoryGivesTheSlotsInOrder() {
    var histories = 0
    func explore(_ heap: SlotHeap, _ keys: [Int: Int64], depth: Int) {
      histories += 1
      guard Self.check(heap, keys) else {
        Issue.record("wrong with \(keys)")
        return
      }
      if depth == 0 { return }
      for change in Self.changes {
        var heap = heap
        var keys = keys
        Self.apply(change, to: &heap, &keys)
        explore(heap, keys, depth: depth - 1)
      }
    }
    explore(SlotHeap(), [:], depth: Tier.count(quick: 3, full: 5))
    #expect(histories > 4000)
  }

  @Test func agreesWithADictionary() {
    var random = SeededGenerator()
    var heap = SlotHeap()
    var keys: [Int: Int64] = [:]
    for step in 0..<Tier.count(quick: 20_000, full: 400_000) {
      let slot = random.number(in: 0..<200)
      let key = random.chance(percent: 30) ? nil : Int64(random.number(in: 0..<100))
      Self.apply((slot, key), to: &heap, &keys)
      #expect(heap.first?.key == keys.values.min())
      #expect(heap.count == keys.count)
      if step % 100 == 0 { #expect(Self.check(heap, keys)) }
    }
  }

  @Test func unknownSlotsAreNotInside() {
    var heap = SlotHeap()
    heap.remove(5)
    #expect(heap.first == nil)
    heap.set(3, to: 1)
    heap.remove(5)
    heap.remove(0)
    #expect(heap.count == 1)
  }
}
