import QueueRuntime
import RequestEngine
import SystemCalls

/// The descriptors that channels of this process were made of.
///
/// There is at most one entry for each engine and number, so no more than the process may have
/// descriptors, and numbers that are not open for as long as it takes to see that.
final class DescriptorTable: Sendable {
  private struct Key: Hashable {
    let engine: ObjectIdentifier
    let descriptor: BorrowedDescriptor
  }

  static let shared = DescriptorTable()

  private let entries = BargingLock<[Key: DescriptorEntry]>([:])

  /// Makes a channel for a descriptor, with others that it has.
  func join(
    _ descriptor: BorrowedDescriptor,
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
      let entry = DescriptorEntry(.number(descriptor), engine: engine)
      entries[key] = entry
      guard let joined = entry.join(channel, account: account, cleanup: cleanup) else {
        preconditionFailure("A new entry takes channels.")
      }
      return joined
    }
    core.entry.perform(actions)
    return core
  }

  /// Takes out an entry that is over, unless another one has its place already.
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
