internal import IOChannelsLocks
import IOChannelsSystem

/// The actions that follow from a change, performed after the state is unlocked.
extension DescriptorState {
  enum Action: Sendable {
    /// Examines the descriptor or path for a channel; `examined` receives the result.
    case examine(channel: Int, IOChannel.StreamType)
    /// Opens the path; `opened` receives the result.
    case open
    /// Starts an operation, without a file if it transfers no bytes.
    case start(any ChannelOperation, on: Result<OpenFile?, SystemError>)
    case runBarrier(ChannelBarrier)
    /// Closes the descriptor, which was opened here; `fileClosed` is called afterwards.
    case close(BorrowedDescriptor)
    /// Calls the cleanup handler of a channel, once.
    case cleanUp(channel: Int, SystemError?)
    /// Removes the entry; later channels of the descriptor get a new one.
    case retire
  }

  /// The actions that follow from one change.
  typealias Actions = ShortList<Action>
}
