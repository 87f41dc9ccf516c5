/// A growing ring buffer of elements, removed in the order in which they were added.
///
/// Adding is amortised O(1), removing O(1). The ring has no bound; its owner has one. A single
/// element needs no allocation, because most queues hold one element at a time and are created
/// often.
///
/// All members can be inlined, so that other modules get specialised code for their element types.
@usableFromInline
package struct FirstInFirstOut<Element> {
  /// The oldest element; while it is nil the slots are empty.
  @usableFromInline var front: Element?
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var start = 0
  /// The number of elements in the slots.
  @usableFromInline var slotted = 0

  @inlinable package init() {}

  @inlinable package var count: Int { front == nil ? 0 : slotted + 1 }

  /// Whether the ring is empty.
  @inlinable package var isEmpty: Bool { front == nil }

  /// The element that `popFirst()` would remove.
  @inlinable package var first: Element? { front }

  /// Adds an element after all others.
  @inlinable package mutating func append(_ element: consuming Element) {
    if front == nil { return front = element }
    if slotted == slots.count { grow() }
    // The number of slots is a power of two.
    slots[(start + slotted) & (slots.count - 1)] = element
    slotted += 1
  }

  /// Adds an element before all others, as if it were the oldest.
  @inlinable package mutating func prepend(_ element: consuming Element) {
    if let oldest = front.take() {
      if slotted == slots.count { grow() }
      start = (start - 1) & (slots.count - 1)
      slots[start] = oldest
      slotted += 1
    }
    front = element
  }

  /// Removes and returns the oldest element.
  @inlinable package mutating func popFirst() -> Element? {
    let element = front.take()
    if slotted > 0 {
      front = slots[start].take()
      start = (start + 1) & (slots.count - 1)
      slotted -= 1
    }
    return element
  }

  /// Returns whether an element satisfies a condition.
  ///
  /// - Complexity: O(count)
  @inlinable package func contains(where condition: (Element) -> Bool) -> Bool {
    front.map(condition) ?? false || slots.contains { $0.map(condition) ?? false }
  }

  /// Removes and returns the oldest element that satisfies a condition.
  ///
  /// - Complexity: O(count)
  @inlinable package mutating func removeFirst(where condition: (Element) -> Bool) -> Element? {
    var found: Element?
    for _ in 0..<count {
      guard let element = popFirst() else { break }
      if found == nil && condition(element) { found = element } else { append(element) }
    }
    return found
  }

  /// Removes and returns all elements that satisfy a condition; the others keep their order.
  ///
  /// - Complexity: O(count)
  @inlinable package mutating func removeAll(where condition: (Element) -> Bool) -> [Element] {
    var found: [Element] = []
    for _ in 0..<count {
      guard let element = popFirst() else { break }
      if condition(element) { found.append(element) } else { append(element) }
    }
    return found
  }

  @inlinable mutating func grow() {
    // One allocation for each doubling.
    var grown: [Element?] = []
    grown.reserveCapacity(max(4, slots.count * 2))
    for index in slots.indices { grown.append(slots[(start + index) & (slots.count - 1)]) }
    for _ in grown.count..<max(4, slots.count * 2) { grown.append(nil) }
    slots = grown
    start = 0
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
