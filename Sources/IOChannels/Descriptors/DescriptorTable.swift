import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The descriptors for which channels of this process were created.
///
/// There is at most one entry for each engine and number. So their number is bounded by the
/// process's limit of descriptors, plus closed numbers until that is noticed.
final class DescriptorTable: Sendable {
  private struct Key: Hashable {
    let engine: ObjectIdentifier
    let descriptor: BorrowedDescriptor
  }

  static let shared = DescriptorTable()

  private let entries = BargingLock<[Key: DescriptorEntry]>([:])

  /// Adds a channel for a descriptor to the other channels of that descriptor.
  ///
  /// Without other channels, a descriptor that was examined is not examined again.
  func join(
    _ descriptor: BorrowedDescriptor,
    examined: OpenFile? = nil,
    engine: Engine,
    _ channel: ChannelState,
    cleanup: ChannelCleanup?
  ) -> ChannelCore {
    let account = engine.budget.makeAccount()
    let key = Key(engine: ObjectIdentifier(engine), descriptor: descriptor)
    let (core, actions) = entries.withLock { entries in
      if let joined = entries[key]?.join(channel, account: account, cleanup: cleanup) {
        return joined
      }
      let entry = DescriptorEntry(.number(descriptor), examined: examined, engine: engine)
      entries[key] = entry
      guard let joined = entry.join(channel, account: account, cleanup: cleanup) else {
        preconditionFailure("A new entry takes channels.")
      }
      return joined
    }
    core.entry.perform(actions)
    return core
  }

  /// Removes an entry that is over, unless another one has already replaced it.
  func remove(_ entry: DescriptorEntry) {
    guard case .number(let descriptor) = entry.source else { return }
    let key = Key(engine: ObjectIdentifier(entry.engine), descriptor: descriptor)
    let removed: DescriptorEntry? = entries.withLock { entries in
      entries[key] === entry ? entries.removeValue(forKey: key) : nil
    }
    _ = removed
  }

  /// The number of entries.
  var count: Int { entries.withLock { $0.count } }
}
