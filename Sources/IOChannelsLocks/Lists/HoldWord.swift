/// The state word of a `ManyToOneList`: whether a thread holds the list, and its newest element.
///
/// A list is free and empty, or held without new elements, or held with the address of the newest
/// element. A list with elements is always held: the thread that adds to a free list must start a
/// holder.
@usableFromInline
struct HoldWord: Equatable, Sendable {
  /// The value in memory.
  @usableFromInline var bits: UInt

  @inlinable
  init(bits: UInt) {
    self.bits = bits
  }

  /// A free list, which is empty.
  @inlinable static var free: HoldWord { HoldWord(bits: 0) }
  /// A held list without elements added since the holder's last look.
  @inlinable static var held: HoldWord { HoldWord(bits: 1) }

  /// The address of the newest element, 0 if there is none.
  @inlinable var newest: UInt { bits > HoldWord.held.bits ? bits : 0 }

  /// Whether the list is held.
  @inlinable var isHeld: Bool { bits != HoldWord.free.bits }

  /// Returns the word after an element was added; the thread that adds to a free list starts a
  /// holder.
  @inlinable
  func adding(_ address: UInt) -> (next: HoldWord, link: UInt, isFirst: Bool) {
    (HoldWord(bits: address), newest, !isHeld)
  }

  /// The word after the holder released the list, nil while new elements exist.
  @inlinable var releasing: HoldWord? { bits == HoldWord.held.bits ? .free : nil }

  /// The word after a thread without an element acquired the list, nil while it is held.
  @inlinable var holding: HoldWord? { bits == HoldWord.free.bits ? .held : nil }
}
