import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The end of the sending direction of a stream, in the order of its writes.
///
/// The call does not block, so the thread that starts the operation makes it.
final class WritingEnd: ChannelOperation {
  private enum State {
    /// Earlier writes have not ended.
    case waiting
    /// The operation was stopped and ends when it starts.
    case stopped(SystemError)
    /// The call is being made.
    case running
    /// The handler was submitted.
    case answered
  }

  let number: Int
  var channel: Int { core.number }
  var ordering: OrderingConstraint { .writing }
  private let queue: WorkQueue
  private let core: ChannelCore
  private let handler: OnceHandler<Int32>
  private let state = BargingLock(State.waiting)

  init(
    number: Int,
    of core: ChannelCore,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) {
    self.number = number
    self.queue = queue
    self.core = core
    self.handler = OnceHandler { error in handler(true, nil, error) }
  }

  var channelIdentity: ObjectIdentifier { ObjectIdentifier(core) }

  var isOver: Bool {
    state.withLock { state in if case .answered = state { true } else { false } }
  }

  func start(on file: Result<OpenFile?, SystemError>, mayTryNow: Bool) -> Bool {
    do throws(SystemError) {
      guard let file = try file.get() else {
        IOChannelsSystem.stop(saying: "The end of the writing begins with the file.")
      }
      let refusal = state.withLock { state -> SystemError? in
        switch state {
        case .waiting: state = .running
        case .stopped(let error): return error
        case .running, .answered: return .canceled
        }
        return nil
      }
      if let refusal { throw refusal }
      try file.descriptor.shutDownWriting()
      answer(nil)
    } catch {
      answer(error)
    }
    return true
  }

  func stop(_ error: SystemError) {
    state.withLock { state in
      if case .waiting = state { state = .stopped(error) }
    }
  }

  func cancel() { answer(.canceled, isCancellation: true) }

  func requestEnded(_ request: Request, with result: TransferResult) {
    IOChannelsSystem.stop(saying: "The end of the writing makes no requests.")
  }

  /// Submits the handler, once; a cancellation does not once the call is being made.
  private func answer(_ error: SystemError?, isCancellation: Bool = false) {
    let isFirst = state.withLock { state -> Bool in
      switch state {
      case .answered: return false
      case .running where isCancellation: return false
      case .waiting, .stopped, .running: state = .answered
      }
      return true
    }
    guard isFirst else { return }
    queue.deliver { [self] in
      handler.run(error.number)
      core.handlersReturned(from: self, error)
    }
  }
}
