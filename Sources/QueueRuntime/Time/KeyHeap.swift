/// A binary heap of entries, ordered by their keys.
///
/// An entry cannot be found again to be removed. It holds the version of its slot, and the owner of
/// the slots skips entries of earlier versions.
struct KeyHeap: Sendable {
  struct Entry: Equatable, Sendable {
    let key: Int64
    let slot: UInt32
    let version: UInt32
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// An entry with the smallest key.
  var first: Entry? { entries.first }

  /// Adds an entry.
  ///
  /// - Complexity: O(log count)
  mutating func add(_ entry: Entry) {
    let end = entries.count
    entries.append(entry)
    var place = end
    while place > 0 {
      let parent = (place - 1) / 2
      let above = entries[parent]
      if above.key <= entry.key { break }
      entries[place] = above
      place = parent
    }
    if place != end { entries[place] = entry }
  }

  /// Removes the first entry.
  ///
  /// - Complexity: O(log count)
  mutating func removeFirst() {
    guard let last = entries.popLast(), !entries.isEmpty else { return }
    sink(last, from: 0)
  }

  /// Returns the largest key up to `bound` among the current entries.
  ///
  /// The search considers at most `limit` entries. Where more have keys up to the bound, the result
  /// may be a smaller key, or nil when the search found no current entry.
  ///
  /// - Complexity: O(`limit`), and O(*k*), where *k* is the number of entries up to `bound`.
  func largestKey(
    upTo bound: Int64,
    limit: Int,
    isCurrent: (Entry) -> Bool
  ) -> Int64? {
    var found: Int64?
    var left = limit
    func visit(_ place: Int) {
      guard place < entries.count, left > 0, entries[place].key <= bound else { return }
      left -= 1
      let entry = entries[place]
      if entry.key > found ?? .min, isCurrent(entry) { found = entry.key }
      // When entries were added in order, the largest keys are on the right.
      visit(2 * place + 2)
      visit(2 * place + 1)
    }
    visit(0)
    return found
  }

  /// Removes all entries that satisfy a condition.
  ///
  /// - Complexity: O(count)
  mutating func removeAll(where isRemoved: (Entry) -> Bool) {
    entries.removeAll(where: isRemoved)
    for place in (0..<entries.count / 2).reversed() { sink(entries[place], from: place) }
  }

  /// Stores an entry at a free place, or below it.
  private mutating func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      if child >= entries.count { break }
      if child + 1 < entries.count && entries[child + 1].key < entries[child].key { child += 1 }
      if entry.key <= entries[child].key { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
