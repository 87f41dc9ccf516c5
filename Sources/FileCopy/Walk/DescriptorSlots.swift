/// Which of the directories that are open has to be closed for another one.
///
/// A fixed number of slots and a hand that goes round: a holder that was used since the hand came
/// by last is passed over once.
struct DescriptorSlots<Holder> {
  /// The holders and the hand's place.
  private var slots: [Holder?]
  private var free: [Int]
  private var hand = 0

  init(count: Int) {
    precondition(count >= 1, "At least one directory must stay open.")
    slots = Array(repeating: nil, count: count)
    free = Array((0..<count).reversed())
  }

  /// Gives a holder a slot.
  ///
  /// - Parameters:
  ///   - holder: The new holder.
  ///   - place: Told the holder's slot.
  ///   - evict: Asked to give up its slot; true when it did. After two rounds of refusals the new
  ///     holder goes without a slot.
  mutating func insert(
    _ holder: Holder,
    place: (Holder, Int?) -> Void,
    evict: (Holder) -> Bool
  ) {
    if let slot = free.popLast() {
      slots[slot] = holder
      place(holder, slot)
      return
    }
    for _ in 0..<(2 * slots.count) {
      let slot = hand
      hand = (hand + 1) % slots.count
      if let old = slots[slot], evict(old) {
        slots[slot] = holder
        place(holder, slot)
        return
      }
    }
    place(holder, nil)
  }

  /// Takes a slot back.
  mutating func remove(from slot: Int) {
    slots[slot] = nil
    free.append(slot)
  }
}
