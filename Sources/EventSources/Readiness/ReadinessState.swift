/// The identity of one registration; a later registration never has the same one.
struct ReadinessToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// Creates the token of a number that the kernel returned.
  init(number: UInt64) {
    slot = UInt32(truncatingIfNeeded: number)
    generation = UInt32(truncatingIfNeeded: number >> 32)
  }

  /// The token as the number that the kernel returns with an event.
  var number: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// The registrations in a readiness list, and whether its thread runs.
///
/// Each registration has a descriptor that no other one has. Where a program closes a descriptor
/// under its source and another source registers the same number, the first registration is lost:
/// it must not change the kernel's list any more.
struct ReadinessState<Receiver: Sendable>: Sendable {
  private struct Slot {
    var generation: UInt32 = 0
    var registration: Registration?
  }

  struct Registration {
    /// The registered descriptor, that of the program or a duplicate.
    let descriptor: Int32
    let isDuplicate: Bool
    let receiver: Receiver
    /// Whether the descriptor was closed by the program.
    var isLost = false
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private var owners: [Int32: ReadinessToken] = [:]
  private var hasThread = false

  /// The number of registrations.
  var count: Int { slots.count - free.count }

  /// Returns the token of the next registration.
  mutating func reserve() -> ReadinessToken {
    if let slot = free.popLast() {
      return ReadinessToken(slot: slot, generation: slots[Int(slot)].generation)
    }
    slots.append(Slot())
    return ReadinessToken(slot: UInt32(slots.count - 1), generation: 0)
  }

  /// Fills a reserved slot, after the kernel has accepted the descriptor.
  mutating func register(_ token: ReadinessToken, _ registration: Registration) {
    if let former = owners[registration.descriptor] {
      slots[Int(former.slot)].registration?.isLost = true
    }
    owners[registration.descriptor] = token
    slots[Int(token.slot)].registration = registration
  }

  /// Returns a registration, nil if it was removed.
  func registration(_ token: ReadinessToken) -> Registration? {
    guard Int(token.slot) < slots.count, slots[Int(token.slot)].generation == token.generation
    else { return nil }
    return slots[Int(token.slot)].registration
  }

  /// Notes that the kernel does not have the descriptor any more.
  mutating func lose(_ token: ReadinessToken) {
    guard registration(token) != nil else { return }
    slots[Int(token.slot)].registration?.isLost = true
  }

  /// Frees a slot, whether it was filled or only reserved.
  mutating func remove(_ token: ReadinessToken) -> Registration? {
    // A token that was removed before names another registration's slot.
    guard slots[Int(token.slot)].generation == token.generation else { return nil }
    let removed = registration(token)
    slots[Int(token.slot)].registration = nil
    slots[Int(token.slot)].generation &+= 1
    free.append(token.slot)
    if let removed, owners[removed.descriptor] == token { owners[removed.descriptor] = nil }
    return removed
  }

  // MARK: - The thread

  /// Whether the caller has to start the thread, which counts as started from here on.
  mutating func needsThread() -> Bool {
    defer { hasThread = true }
    return !hasThread
  }

  /// Notes that the thread could not be started.
  mutating func startFailed() { hasThread = false }

  /// Whether the thread ends because there is no registration.
  mutating func ends() -> Bool {
    if count > 0 { return false }
    hasThread = false
    return true
  }
}
