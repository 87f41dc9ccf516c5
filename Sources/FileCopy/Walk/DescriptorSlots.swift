/// The choice of the open directory that is closed for another one, by the clock algorithm.
///
/// The number of slots is fixed. The hand moves around the slots. It passes once over a holder that
/// was used since its last visit.
struct DescriptorSlots<Holder> {
  private var slots: [Holder?]
  /// The indices of the free slots.
  private var free: [Int]
  /// The index of the slot that the clock algorithm visits next.
  private var hand = 0

  init(count: Int) {
    precondition(count >= 1, "At least one directory must stay open.")
    slots = Array(repeating: nil, count: count)
    free = Array((0..<count).reversed())
  }

  /// Assigns a slot to a holder.
  ///
  /// If all holders refuse in two rounds, the new holder gets no slot.
  ///
  /// - Parameters:
  ///   - holder: The new holder.
  ///   - place: Receives the holder and its slot, or nil for no slot.
  ///   - evict: Makes another holder release its slot; returns false if that holder refuses.
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

  /// Frees a slot.
  mutating func remove(from slot: Int) {
    slots[slot] = nil
    free.append(slot)
  }
}
