import IOChannelsSystem
import Synchronization

/// The position of a random channel, at which calls without an offset continue (S235).
///
/// Only calls without an offset use it, so other operations neither pay for it nor move it.
struct ChannelPosition: ~Copyable, Sendable {
  /// The position, or its complement while a call uses it.
  private let value = Atomic<Int64>(0)

  init() {}

  /// Reserves the position for a call, which no other one may then use.
  func reserve() -> Int64 {
    let position = value.load(ordering: .relaxed)
    let isReserved =
      position >= 0
      && value.compareExchange(
        expected: position,
        desired: ~position,
        successOrdering: .acquiring,
        failureOrdering: .relaxed
      ).exchanged
    requireUse(
      isReserved,
      "A random channel serves one call without an offset at a time.",
      "S235"
    )
    return position
  }

  /// Ends the use by a call that has transferred so many bytes.
  func release(after count: Int64) {
    value.store(~value.load(ordering: .relaxed) + count, ordering: .releasing)
  }
}

/// The offset of a call that a task awaits.
struct CallOffset: Sendable {
  let value: Int64
  /// Whether the call has reserved the position of its channel.
  let movesPosition: Bool
}

extension ChannelCore {
  /// Returns the offset of a call; one that has none reserves the position of a random channel.
  ///
  /// `endCall(at:moved:)` has to follow, once.
  func beginCall(at offset: Int64?) -> CallOffset {
    if let offset { return CallOffset(value: offset, movesPosition: false) }
    if kind == .stream { return CallOffset(value: 0, movesPosition: false) }
    return CallOffset(value: position.reserve(), movesPosition: true)
  }

  /// Ends a call, and moves the position that it has reserved behind the transferred bytes.
  func endCall(at offset: CallOffset, moved count: Int64) {
    if offset.movesPosition { position.release(after: count) }
  }
}
