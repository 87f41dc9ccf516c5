/// The state word of a `ManyToOneList`: whether a thread holds the list, and its newest element.
///
/// A list is free and empty, or held without new elements, or held with the address of the newest
/// element. A list with elements is always held: the thread that adds to a free list must start a
/// holder.
struct HoldWord: Equatable, Sendable {
  /// The value in memory.
  var bits: UInt

  /// A free list, which is empty.
  static let free = HoldWord(bits: 0)
  /// A held list without elements added since the holder's last look.
  static let held = HoldWord(bits: 1)

  /// The address of the newest element, 0 if there is none.
  var newest: UInt { bits > HoldWord.held.bits ? bits : 0 }

  /// Whether the list is held.
  var isHeld: Bool { bits != HoldWord.free.bits }

  /// Returns the word after an element was added; the thread that adds to a free list starts a
  /// holder.
  func adding(_ address: UInt) -> (next: HoldWord, link: UInt, isFirst: Bool) {
    (HoldWord(bits: address), newest, !isHeld)
  }

  /// The word after the holder released the list, nil while new elements exist.
  var releasing: HoldWord? { self == .held ? .free : nil }

  /// The word after a thread without an element acquired the list, nil while it is held.
  var holding: HoldWord? { self == .free ? .held : nil }
}
