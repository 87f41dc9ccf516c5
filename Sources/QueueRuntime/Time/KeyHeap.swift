/// A binary heap of slots, ordered by their keys, from which any slot can be removed.
struct KeyHeap: Sendable {
  private struct Entry: Sendable {
    let key: Int64
    let slot: UInt32
  }

  private var entries: [Entry] = []
  /// The place of the entry of each slot, for slots in the heap.
  private var places: [UInt32] = []

  var count: Int { entries.count }

  /// The smallest key, and a slot that has it.
  var first: (key: Int64, slot: Int)? { entries.first.map { ($0.key, Int($0.slot)) } }

  /// Adds a slot, which is not in the heap.
  ///
  /// - Complexity: O(log count)
  mutating func add(_ slot: Int, key: Int64) {
    while places.count <= slot { places.append(0) }
    let entry = Entry(key: key, slot: UInt32(slot))
    entries.append(entry)
    rise(entry, from: entries.count - 1)
  }

  /// Removes a slot, which is in the heap.
  ///
  /// - Complexity: O(log count)
  mutating func remove(_ slot: Int) {
    let place = Int(places[slot])
    guard let last = entries.popLast(), place < entries.count else { return }
    // The last entry may belong above the free place, in another branch than its own.
    if place > 0 && last.key < entries[(place - 1) / 2].key {
      rise(last, from: place)
    } else {
      sink(last, from: place)
    }
  }

  /// Returns the largest key up to `bound`, or nil if there is none.
  ///
  /// The search considers at most `limit` entries. Where more have keys up to the bound, the result
  /// may be a smaller key.
  ///
  /// - Complexity: O(`limit`), and O(*k*), where *k* is the number of entries up to `bound`.
  func largestKey(upTo bound: Int64, limit: Int) -> Int64? {
    var found: Int64?
    var left = limit
    func visit(_ place: Int) {
      guard place < entries.count, left > 0, entries[place].key <= bound else { return }
      left -= 1
      found = max(entries[place].key, found ?? .min)
      // When entries were added in order, the largest keys are on the right.
      visit(2 * place + 2)
      visit(2 * place + 1)
    }
    visit(0)
    return found
  }

  /// Stores an entry at a free place, or above it.
  private mutating func rise(_ entry: Entry, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      if entries[parent].key <= entry.key { break }
      store(entries[parent], at: place)
      place = parent
    }
    store(entry, at: place)
  }

  /// Stores an entry at a free place, or below it.
  private mutating func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      if child >= entries.count { break }
      if child + 1 < entries.count && entries[child + 1].key < entries[child].key { child += 1 }
      if entry.key <= entries[child].key { break }
      store(entries[child], at: place)
      place = child
    }
    store(entry, at: place)
  }

  private mutating func store(_ entry: Entry, at place: Int) {
    entries[place] = entry
    places[Int(entry.slot)] = UInt32(place)
  }
}
