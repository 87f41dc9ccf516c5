import SystemCalls

/// What follows from a change, and is done when the state is free again.
extension DescriptorState {
  enum Action: Sendable {
    /// Looks at the descriptor or path for a channel; `examined` is told what was found.
    case examine(channel: Int, IOChannel.Kind)
    /// Opens the path; `opened` is told how that went.
    case open
    /// Starts an operation, on nothing if it moves no bytes.
    case start(any ChannelOperation, on: Result<OpenFile?, Errno>)
    case runBarrier(ChannelBarrier)
    /// Closes the descriptor, which was opened here; `fileClosed` is told when that is done.
    case close(BorrowedDescriptor)
    /// Calls the cleanup handler of a channel, once.
    case cleanUp(channel: Int, Errno?)
    /// Nothing is left; later channels of the descriptor begin anew.
    case retire
  }

  /// What one change leads to.
  typealias Actions = ShortList<Action>
}
