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
  @inlinable package mutating func append(_ element: Element) {
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
  @inlinable package mutating func change(at index: Int, _ body: (inout Element) -> Void) {
    precondition(index >= 0 && index < number, "no element has this place")
    if index >= 3 { return body(&rest[index - 3]) }
    let taken: Element? =
      switch index {
      case 0: place0.take()
      case 1: place1.take()
      default: place2.take()
      }
    guard var element = taken else { preconditionFailure("no element has this place") }
    body(&element)
    self[index] = element
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
