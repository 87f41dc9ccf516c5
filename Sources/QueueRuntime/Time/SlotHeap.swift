/// Slots with a key each, of which the one with the smallest key is at hand.
///
/// A binary heap that knows the place of every slot, so that any of them can be given another key
/// or be removed. Both take a time logarithmic in the number of slots inside. The room for places
/// is kept for later slots.
struct SlotHeap: Sendable {
  private struct Entry {
    var key: Int64
    var slot: Int
  }

  private var entries: [Entry] = []
  /// The place of each slot in `entries`, -1 for those that are not inside.
  private var places: [Int] = []

  var count: Int { entries.count }

  /// The slot with the smallest key.
  var first: (slot: Int, key: Int64)? { entries.first.map { ($0.slot, $0.key) } }

  /// Puts a slot in, or gives it another key.
  mutating func set(_ slot: Int, to key: Int64) {
    if slot >= places.count {
      places.append(contentsOf: repeatElement(-1, count: slot + 1 - places.count))
    }
    let entry = Entry(key: key, slot: slot)
    if places[slot] < 0 {
      entries.append(entry)
      rise(entry, from: entries.count - 1)
    } else {
      move(entry, from: places[slot])
    }
  }

  /// Takes a slot out if it is inside.
  mutating func remove(_ slot: Int) {
    guard slot < places.count, places[slot] >= 0, let last = entries.popLast() else { return }
    let place = places[slot]
    places[slot] = -1
    if last.slot != slot { move(last, from: place) }
  }

  /// Finds the place of an entry, beginning at one that is free.
  private mutating func move(_ entry: Entry, from place: Int) {
    if place > 0 && entry.key < entries[(place - 1) / 2].key {
      rise(entry, from: place)
    } else {
      sink(entry, from: place)
    }
  }

  private mutating func rise(_ entry: Entry, from start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      if entries[parent].key <= entry.key { break }
      put(entries[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private mutating func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      var child = 2 * place + 1
      if child >= entries.count { break }
      if child + 1 < entries.count && entries[child + 1].key < entries[child].key { child += 1 }
      if entry.key <= entries[child].key { break }
      put(entries[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    entries[place] = entry
    places[entry.slot] = place
  }
}
