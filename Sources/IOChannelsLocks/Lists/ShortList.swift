/// A list whose first three elements need no allocation.
///
/// It is for lists that are created for each operation and mostly have one or two elements: an
/// allocation for each costs more than the work on the elements. The places are stored properties,
/// because elements of an `InlineArray` are copied and destroyed by unspecialised code.
///
/// All members can be inlined, so that other modules get specialised code for their element types.
@usableFromInline
package struct ShortList<Element> {
  @usableFromInline var place0: Element?
  @usableFromInline var place1: Element?
  @usableFromInline var place2: Element?
  /// The elements after the first three.
  @usableFromInline var rest: [Element] = []
  @usableFromInline var number = 0

  @inlinable package init() {}

  /// Adds an element after all others.
  @inlinable package mutating func append(_ element: consuming Element) {
    switch number {
    case 0: place0 = element
    case 1: place1 = element
    case 2: place2 = element
    default: rest.append(element)
    }
    number += 1
  }

  /// Removes and returns an element; those after it move up.
  ///
  /// - Complexity: O(count)
  @inlinable package mutating func remove(at index: Int) {
    precondition(index >= 0 && index < number, "no element has this place")
    if index >= 3 {
      rest.remove(at: index - 3)
    } else {
      if index == 0 { place0 = place1.take() }
      if index <= 1 { place1 = place2.take() }
      place2 = rest.isEmpty ? nil : rest.removeFirst()
    }
    number -= 1
  }

  /// Changes an element in its place.
  ///
  /// The element is moved out and back: a copy would retain all that it refers to. An accessor that
  /// yields the element would allocate its frame.
  @discardableResult
  @inlinable package mutating func change<Result>(
    at index: Int,
    _ body: (inout Element) -> Result
  ) -> Result {
    precondition(index >= 0 && index < number, "no element has this place")
    switch index {
    case 0: return Self.change(&place0, body)
    case 1: return Self.change(&place1, body)
    case 2: return Self.change(&place2, body)
    default: return body(&rest[index - 3])
    }
  }

  @inlinable static func change<Result>(
    _ place: inout Element?,
    _ body: (inout Element) -> Result
  ) -> Result {
    guard var element = place.take() else { preconditionFailure("no element has this place") }
    let result = body(&element)
    place = consume element
    return result
  }

  /// Moves an element out of its place, which must not be used any more.
  ///
  /// The number of elements stays the same, so a list that is used up is walked by its indices.
  @inlinable package mutating func take(at index: Int) -> Element {
    precondition(index >= 0 && index < number, "no element has this place")
    let taken: Element? =
      switch index {
      case 0: place0.take()
      case 1: place1.take()
      case 2: place2.take()
      default: rest[index - 3]
      }
    guard let taken else { preconditionFailure("no element has this place") }
    return taken
  }

  /// Removes all elements.
  @inlinable package mutating func removeAll() { self = Self() }
}

extension ShortList: RandomAccessCollection {
  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { number }

  @inlinable package subscript(index: Int) -> Element {
    get {
      let element: Element? =
        switch index {
        case 0: place0
        case 1: place1
        case 2: place2
        default: rest[index - 3]
        }
      guard let element else { preconditionFailure("no element has this place") }
      return element
    }
    set {
      precondition(index >= 0 && index < number, "no element has this place")
      switch index {
      case 0: place0 = newValue
      case 1: place1 = newValue
      case 2: place2 = newValue
      default: rest[index - 3] = newValue
      }
    }
  }
}

extension ShortList: Sendable where Element: Sendable {}
