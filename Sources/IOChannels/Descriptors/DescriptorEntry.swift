import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A descriptor that channels use, with all its channels: the lock and the requests around the
/// state.
final class DescriptorEntry: Sendable {
  /// The file that the channels were created for.
  enum Source: Sendable {
    /// An open descriptor of the caller.
    case number(BorrowedDescriptor)
    /// A path that is opened by the first operation.
    case path(OpeningPath)
  }

  private struct Contents {
    var state: DescriptorState
    /// The channels without a finished cleanup, which the program may have released.
    var cores: [Int: ChannelCore] = [:]
    /// The entry of the parent channel, until that channel's creation has finished.
    var leader: DescriptorEntry?
    /// The entries of channels that were created from this one's before its creation had finished.
    var followers: [DescriptorEntry] = []
    /// The channel whose barrier runs, and the thread.
    var barrier: (channel: Int, thread: Int32)?
  }

  let source: Source
  /// The file of a descriptor that was examined before its first channel was created.
  let examined: OpenFile?
  let engine: Engine
  private let contents: BargingLock<Contents>

  /// Creates an entry without channels.
  ///
  /// - Parameters:
  ///   - source: The file of its channels.
  ///   - examined: The file of a descriptor that needs no examination.
  ///   - engine: The engine of its requests.
  ///   - leader: The entry of a path whose channel's creation must succeed before this one's
  ///     begins.
  init(
    _ source: Source,
    examined: OpenFile? = nil,
    engine: Engine,
    behind leader: DescriptorEntry? = nil
  ) {
    self.source = source
    self.examined = examined
    self.engine = engine
    let ownsFile = if case .path = source { true } else { false }
    contents = BargingLock(
      Contents(state: DescriptorState(ownsFile: ownsFile), leader: leader)
    )
  }

  /// Adds a channel; `perform` performs the actions that follow.
  ///
  /// - Returns: Nil when the descriptor's channels have all been cleaned up.
  func join(
    _ channel: ChannelState,
    account: MemoryBudget.Account,
    cleanup: ChannelCleanup?
  ) -> (core: ChannelCore, actions: DescriptorState.Actions)? {
    contents.withLock { contents in
      if contents.state.isOver { return nil }
      var actions = DescriptorState.Actions()
      let number = contents.state.join(channel, &actions)
      let core = ChannelCore(
        self,
        number: number,
        kind: channel.kind,
        account: account,
        cleanup: cleanup
      )
      contents.cores[number] = core
      return (core, actions)
    }
  }

  /// Returns a channel without a finished cleanup.
  func core(of channel: Int) -> ChannelCore? {
    contents.withLock { $0.cores[channel] }
  }

  /// Returns the error that prevents new channels from this one, as far as it is known.
  func failure(of channel: Int) -> SystemError? {
    contents.withLock { contents in
      let refusal = contents.state.channels[channel].map(\.refusal) ?? .canceled
      return refusal ?? contents.state.openingError
    }
  }

  /// Removes and returns the entry whose channel's creation this one's waits for.
  func takeLeader() -> DescriptorEntry? {
    contents.withLock { $0.leader.take() }
  }

  /// Continues a follower once the creation of the path's channel has finished.
  func lead(_ follower: DescriptorEntry) {
    let creation = contents.withLock { contents -> ChannelState.Creation? in
      let creation = contents.state.channels[0]?.creation
      if case .underWay = creation { contents.followers.append(follower) }
      return creation
    }
    switch creation {
    case .underWay: break
    case .done: follower.resumeCreation(nil)
    case .failed(let error): follower.resumeCreation(error)
    case nil: follower.resumeCreation(.canceled)
    }
  }

  /// Continues the followers, or fails them and their own followers.
  ///
  /// The error is passed, because a channel that has failed may have been removed already.
  func notifyFollowers(_ error: SystemError?) {
    var followers = takeFollowers()
    while let follower = followers.popLast() {
      follower.resumeCreation(error)
      // A follower that proceeds notifies its own followers.
      if error != nil { followers += follower.takeFollowers() }
    }
  }

  private func takeFollowers() -> [DescriptorEntry] {
    contents.withLock { contents in
      defer { contents.followers = [] }
      return contents.followers
    }
  }

  func forget(_ channel: Int) {
    contents.withLock { $0.state.forget(channel) }
  }

  /// Returns the number of the descriptor for a channel, -1 where it is not available.
  ///
  /// In a barrier of the channel a path is opened for it.
  func descriptorNumber(for channel: Int) -> Int32 {
    let thread = PlatformThread.currentNumber
    let (found, opens) = contents.withLock { contents -> (BorrowedDescriptor?, Bool) in
      guard contents.state.channels[channel]?.isClosed == false else { return (nil, false) }
      if case .number(let descriptor) = source { return (descriptor, false) }
      let isInBarrier = contents.barrier.map { $0 == (channel, thread) } ?? false
      return (contents.state.descriptor, isInBarrier && contents.state.isUnopened)
    }
    guard opens, case .path(let path) = source else { return found?.rawValue ?? -1 }
    // No other thread opens it: an operation does so only outside of barriers.
    let opened = path.open(isRegular: isRegular)
    change { state, actions in state.opened(opened, &actions) }
    return (try? opened.get())?.descriptor.rawValue ?? -1
  }

  /// The file of the channels, for debugging.
  var sourceDescription: String {
    switch source {
    case .number(let descriptor): "descriptor \(descriptor.rawValue)"
    case .path(let path): "path \(path.path)"
    }
  }

  /// Changes the state under the lock and performs the resulting actions outside.
  @discardableResult
  func change<R>(
    _ body: (inout DescriptorState, inout DescriptorState.Actions) -> R
  ) -> R {
    let (result, actions) = changeDeferring(body)
    if !actions.isEmpty { perform(actions) }
    return result
  }

  /// Changes the state under the lock; `perform` performs the resulting actions.
  func changeDeferring<R>(
    _ body: (inout DescriptorState, inout DescriptorState.Actions) -> R
  ) -> (result: R, actions: DescriptorState.Actions) {
    contents.withLock { contents in
      var actions = DescriptorState.Actions()
      let result = body(&contents.state, &actions)
      return (result, actions)
    }
  }

  /// Changes the state under the lock where no actions follow.
  func changeOnly<R: Sendable>(_ body: (inout DescriptorState) -> R) -> R {
    contents.withLock { contents in body(&contents.state) }
  }

  func perform(_ actions: consuming DescriptorState.Actions) {
    var index = 0
    // Only one: a peer that reads as fast as others wait would occupy a thread of the engine.
    var mayTryNow = true
    // Operations that end as they begin let others begin: a loop keeps the stack flat.
    while index < actions.count {
      switch actions.take(at: index) {
      case .start(let operation, let file):
        defer { mayTryNow = false }
        guard operation.start(on: file, mayTryNow: mayTryNow) else { break }
        contents.withLock { $0.state.ended(on: operation.ordering, &actions) }
      case .runBarrier(let barrier):
        runBarrier(barrier)
      case .examine(let channel, let kind):
        examine(for: channel, kind)
      case .open:
        open()
      case .close(let descriptor):
        close(descriptor)
      case .cleanUp(let channel, let error):
        contents.withLock { $0.cores.removeValue(forKey: channel) }?.cleanUp(error)
      case .retire:
        DescriptorTable.shared.remove(self)
      }
      index += 1
    }
  }

  private func runBarrier(_ barrier: ChannelBarrier) {
    barrier.queue.deliver { [self] in
      contents.withLock { $0.barrier = (barrier.channel, PlatformThread.currentNumber) }
      barrier.body.run(())
      contents.withLock { $0.barrier = nil }
      change { state, actions in state.barrierEnded(channel: barrier.channel, &actions) }
    }
  }
}
