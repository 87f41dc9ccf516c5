/// Names one use of a slot; a later use of the same slot has another name.
package struct SlotID: Hashable, Sendable {
  /// The place in the table.
  package let index: UInt32
  /// How often the place was used before.
  package let generation: UInt32

  /// The name as the number that travels through the kernel.
  package var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  /// The name that a token stands for.
  package init(token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    generation = UInt32(token >> 32)
  }
}

/// A bounded table whose entries are found by a number that is never valid twice.
///
/// An answer that comes late, for an entry that is gone, finds nothing instead of a stranger.
/// Generations use 31 bits, which keeps tokens with the top bit for the table's user.
struct SlotTable<Element> {
  private var entries: [(generation: UInt32, element: Element?)] = []
  private var free: [UInt32] = []
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { entries.count - free.count }
  var isFull: Bool { count == capacity }

  /// All elements, in no order.
  var elements: some Sequence<Element> { entries.lazy.compactMap(\.element) }

  /// Puts an element in.
  ///
  /// - Returns: Its name, or `nil` when the table is full.
  mutating func insert(_ element: Element) -> SlotID? {
    if let index = free.popLast() {
      entries[Int(index)].element = element
      return SlotID(index: index, generation: entries[Int(index)].generation)
    }
    guard entries.count < capacity else { return nil }
    entries.append((0, element))
    return SlotID(index: UInt32(entries.count - 1), generation: 0)
  }

  /// The element of this name, or `nil` when it has gone.
  subscript(id: SlotID) -> Element? {
    #if MUTANTS
      if Mutant.staleGenerationTaken.isActive, id.index < entries.count {
        return entries[Int(id.index)].element
      }
    #endif
    guard id.index < entries.count, entries[Int(id.index)].generation == id.generation else {
      return nil
    }
    return entries[Int(id.index)].element
  }

  /// Changes all elements, in no order.
  mutating func change(_ body: (inout Element) -> Void) {
    for index in entries.indices {
      guard var element = entries[index].element else { continue }
      body(&element)
      entries[index].element = element
    }
  }

  /// Takes an element out; its name is never valid again.
  mutating func remove(_ id: SlotID) -> Element? {
    guard let element = self[id] else { return nil }
    entries[Int(id.index)] = ((id.generation &+ 1) & 0x7fff_ffff, nil)
    free.append(id.index)
    return element
  }

  /// Takes out all elements.
  mutating func removeAll() -> [Element] {
    let elements = entries.compactMap(\.element)
    for index in entries.indices where entries[index].element != nil {
      let next = (entries[index].generation &+ 1) & 0x7fff_ffff
      entries[index] = (next, nil)
      free.append(UInt32(index))
    }
    return elements
  }
}
