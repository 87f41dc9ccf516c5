/// The word of a `ManyToOneList` that says whether somebody may take from it, and what is new.
///
/// Three kinds of value: nobody holds the list and it is empty; somebody holds it and nothing is
/// new; somebody holds it and this is the address of the newest element. A list that has elements
/// always has a holder, so the transition out of `free` names the one who must see to them.
struct HoldWord: Equatable, Sendable {
  /// The value as it stands in memory.
  var bits: UInt

  /// Nobody holds the list; it is empty.
  static let free = HoldWord(bits: 0)
  /// Somebody holds the list; nothing was added since they looked.
  static let held = HoldWord(bits: 1)

  /// The address of the newest element, 0 if there is none.
  var newest: UInt { bits > HoldWord.held.bits ? bits : 0 }

  /// Whether somebody holds the list.
  var isHeld: Bool { bits != HoldWord.free.bits }

  /// The word after an element was added; whoever adds to a free list makes a holder for it.
  func adding(_ address: UInt) -> (next: HoldWord, link: UInt, isFirst: Bool) {
    (HoldWord(bits: address), newest, !isHeld)
  }

  /// The word after its holder let go, nil while something new is there.
  var releasing: HoldWord? { self == .held ? .free : nil }

  /// The word after somebody without an element took hold, nil while somebody else holds it.
  var holding: HoldWord? { self == .free ? .held : nil }
}
