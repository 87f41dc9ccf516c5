import IOChannelsEngine
import IOChannelsSystem

extension DescriptorEntry {
  /// Creates the first channel of an entry that no other thread knows.
  func firstChannel(_ channel: ChannelState, _ cleanup: ChannelCleanup) -> ChannelCore {
    let account = engine.budget.makeAccount()
    guard let (core, actions) = join(channel, account: account, cleanup: cleanup) else {
      preconditionFailure("A new entry takes channels.")
    }
    perform(actions)
    return core
  }

  /// Creates a channel for the file of another channel of this entry.
  func sibling(
    of leader: Int,
    _ kind: IOChannel.StreamType,
    _ cleanup: ChannelCleanup
  ) -> ChannelCore {
    let limits = DeliveryLimits(step: engine.sizes.step)
    let descriptor: BorrowedDescriptor? =
      if case .number(let descriptor) = source { descriptor } else { nil }
    var channel = ChannelState(kind: kind, of: descriptor, limits: limits, parent: leader)
    if let error = failure(of: leader) {
      channel.creation = .failed(error)
    } else if case .number = source {
      let account = engine.budget.makeAccount()
      if let (core, actions) = join(channel, account: account, cleanup: cleanup) {
        perform(actions)
        return core
      }
      // The leader failed, or was closed, and was cleaned up meanwhile.
      channel.creation = .failed(failure(of: leader) ?? .canceled)
    } else {
      let entry = DescriptorEntry(source, engine: engine, behind: self)
      return entry.firstChannel(ChannelState(kind: kind, limits: limits), cleanup)
    }
    return DescriptorEntry(source, engine: engine).firstChannel(channel, cleanup)
  }
}
