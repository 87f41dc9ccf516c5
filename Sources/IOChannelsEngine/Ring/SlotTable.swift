/// An identifier of one use of a slot, different for each use of the same slot.
package struct SlotID: Hashable, Sendable {
  /// The index in the table.
  package let index: UInt32
  /// The number of earlier uses of the slot.
  package let generation: UInt32

  /// The identifier as the number that the kernel returns with a completion.
  package var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

  init(index: UInt32, generation: UInt32) {
    self.index = index
    self.generation = generation
  }

  /// Creates the identifier for a token.
  package init(token: UInt64) {
    index = UInt32(truncatingIfNeeded: token)
    generation = UInt32(token >> 32)
  }
}

/// A bounded table whose entries have identifiers that are never reused.
///
/// A late completion for a removed entry finds no other entry. Generations have 31 bits, so that
/// the user of the table may use tokens with the top bit.
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

  /// Inserts an element.
  ///
  /// - Returns: Its identifier, nil if the table is full.
  mutating func insert(_ element: consuming Element) -> SlotID? {
    if let index = free.popLast() {
      entries[Int(index)].element = element
      return SlotID(index: index, generation: entries[Int(index)].generation)
    }
    guard entries.count < capacity else { return nil }
    entries.append((0, element))
    return SlotID(index: UInt32(entries.count - 1), generation: 0)
  }

  /// The element with an identifier, nil if it was removed.
  ///
  /// A new value replaces the element, if that was not removed.
  subscript(id: SlotID) -> Element? {
    get { isCurrent(id) ? entries[Int(id.index)].element : nil }
    set { if isCurrent(id) { entries[Int(id.index)].element = newValue } }
  }

  /// Whether the slot of an identifier was not used again.
  private func isCurrent(_ id: SlotID) -> Bool {
    id.index < entries.count && entries[Int(id.index)].generation == id.generation
  }

  /// Changes all elements, in no order.
  mutating func change(_ body: (inout Element) -> Void) {
    for index in entries.indices {
      guard var element = entries[index].element else { continue }
      body(&element)
      entries[index].element = element
    }
  }

  /// Removes an element, whose identifier is never valid again.
  mutating func remove(_ id: SlotID) -> Element? {
    // The element is moved out; a copy would retain what it refers to.
    guard isCurrent(id), let element = entries[Int(id.index)].element.take() else { return nil }
    entries[Int(id.index)].generation = (id.generation &+ 1) & 0x7fff_ffff
    free.append(id.index)
    return element
  }

  /// Removes all elements.
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
