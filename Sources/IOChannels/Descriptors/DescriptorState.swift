import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The state of one descriptor: its file, its channels, and the order of their operations.
///
/// While a channel is being created no new operation begins on the descriptor, so that operations
/// submitted to several channels keep their order. The number of channels is bounded only by the
/// program.
struct DescriptorState: Sendable {
  /// Whether the descriptor is opened here, and closed before the cleanup.
  private let ownsFile: Bool
  private(set) var file = File.unknown
  /// Whether reads and writes of streams share a position, as far as that is known.
  private(set) var hasPosition = false
  private(set) var channels = ChannelList()
  private var nextChannel = 0
  /// The channels that are being created, in order; the first is being examined.
  private var underWay = FirstInFirstOut<Int>()
  private var order = OperationOrder<any ChannelOperation, ChannelBarrier>()
  private var cacheGuess = CacheGuess()
  /// The operation that waits for the file to be opened.
  private var first: (any ChannelOperation)?
  /// The number of channels that were not closed, apart from those whose creation failed.
  private var usedCount = 0
  /// The number of operations whose last handler has not returned.
  private var openCount = 0
  /// The number of channels without a finished cleanup.
  private var liveCount = 0
  /// Whether all channels have cleaned up, after which no other one joins.
  private(set) var isOver = false

  init(ownsFile: Bool) {
    self.ownsFile = ownsFile
  }
}

// MARK: - Channels come

extension DescriptorState {
  /// Adds a channel, whose creation begins.
  ///
  /// - Returns: Its number.
  mutating func join(_ channel: ChannelState, _ actions: inout Actions) -> Int {
    let number = nextChannel
    nextChannel += 1
    channels.append(channel, as: number)
    usedCount += 1
    liveCount += 1
    if let error = channel.creationError ?? parentError(of: channel) {
      failed(number, error, &actions)
      return number
    }
    underWay.append(number)
    if underWay.count == 1 { makeChannels(&actions) }
    return number
  }

  /// Processes the result of an examination for the first channel that is being created.
  mutating func examined(_ found: Result<Examination, SystemError>, _ actions: inout Actions) {
    guard let number = underWay.popFirst() else { return }
    switch found {
    case .failure(let error): failed(number, error, &actions)
    case .success(let examination):
      if case .unknown = file {
        file = examination.file.map { .open($0) } ?? .unopened
        joinStreams(if: examination.hasPosition)
      }
      made(number, &actions)
    }
    makeChannels(&actions)
    advance(&actions)
  }

  /// Returns the error that prevents a channel's creation, if its parent is closed or has failed.
  private func parentError(of channel: ChannelState) -> SystemError? {
    channel.parent.flatMap { parent in channels[parent].map(\.refusal) ?? .canceled }
  }

  /// Finishes the creation of channels without an examination, up to the first other one.
  private mutating func makeChannels(_ actions: inout Actions) {
    while let number = underWay.first, let channel = channels[number] {
      if let error = channel.parentError {
        failed(number, error, &actions)
      } else if isKnown {
        made(number, &actions)
      } else {
        return actions.append(.examine(channel: number, channel.kind))
      }
      _ = underWay.popFirst()
    }
  }

  /// Finishes the creation of a channel of a descriptor that can be used.
  private mutating func made(_ number: Int, _ actions: inout Actions) {
    switch channels[number]?.position {
    case .failure(let error): failed(number, error, &actions)
    case .success(let position): channels.change(number) { $0.creation = .done(base: position) }
    case nil: channels.change(number) { $0.creation = .done(base: 0) }
    }
  }

  private mutating func joinStreams(if hasPosition: Bool) {
    self.hasPosition = hasPosition
    if hasPosition { order.joinStreams() }
  }

  private mutating func failed(_ number: Int, _ error: SystemError, _ actions: inout Actions) {
    channels.change(number) { $0.creation = .failed(error) }
    // The failed channel may have been removed when they are created.
    for child in channels.numbers where channels.look(at: child, { $0.parent }) == number {
      channels.change(child) { $0.parentError = error }
    }
    if channels[number]?.isClosed == false { usedCount -= 1 }
    cleanUpAlone(number, &actions)
  }

  /// Removes a channel that the program has released.
  mutating func forget(_ number: Int) {
    channels.remove(number)
  }
}

// MARK: - The file

extension DescriptorState {
  /// Processes the opened file of a path.
  mutating func opened(_ result: Result<OpenFile, SystemError>, _ actions: inout Actions) {
    switch result {
    case .success(let opened):
      file = .open(opened)
      joinStreams(if: opened.traits.kind == .seekable)
    case .failure(let error):
      file = .failed(error)
    }
    if let operation = first.take() { begin(operation, &actions) }
    advance(&actions)
  }

  /// Records that the file of a path is closed.
  mutating func fileClosed(_ actions: inout Actions) {
    file = .closed
    cleanUpTogether(&actions)
  }
}

// MARK: - Operations and barriers

extension DescriptorState {
  /// Admits a transfer, and returns the interval of its deliveries, or the reason for its refusal.
  mutating func submit(
    _ transfer: TransferStorage,
    _ actions: inout Actions
  ) -> Result<Duration?, SystemError> {
    let admission = channels.admit(transfer)
    if case .success = admission { add(transfer, &actions) }
    return admission
  }

  /// Adds an operation that was admitted to the order.
  private mutating func add(_ operation: some ChannelOperation, _ actions: inout Actions) {
    channels.change(operation.channel) { $0.add(operation) }
    openCount += 1
    order.submit(operation, on: operation.ordering)
    advance(&actions)
  }

  /// Adds an operation, which `make` creates, or returns the reason for its refusal.
  mutating func submit(
    to number: Int,
    _ actions: inout Actions,
    make: (OperationID, ChannelSettings) -> some ChannelOperation
  ) -> SystemError? {
    switch channels.admission(to: number) {
    case .failure(let refusal): return refusal
    case .success(let admission):
      add(make(admission.id, admission.settings), &actions)
      return nil
    }
  }

  /// Admits a read of a random channel from the page cache, on the caller's thread.
  ///
  /// - Returns: The file; nil when the read has to wait, or when a handler is to receive its bytes
  ///   in several chunks. Its end has to be reported.
  mutating func beginReadAtOnce(_ read: ReadAtOnce) -> OpenFile? {
    guard case .open(var file) = file, file.traits.kind == .seekable, !file.traits.isDirect,
      let base = channels.look(at: read.channel, { $0.base(of: read) }) ?? nil,
      cacheGuess.mayLook(), order.beginAtOnce()
    else { return nil }
    if read.hasHandler {
      channels.change(read.channel) { $0.readAtOnceCount += 1 }
      openCount += 1
    }
    file.base = base
    return file
  }

  /// Records the end of a read from the page cache, and whether its bytes were there: then its
  /// handler, if any, is still to be called.
  mutating func endedAtOnce(_ read: ReadAtOnce, found: Bool, _ actions: inout Actions) {
    cacheGuess.note(found: found)
    ended(on: .positioned, &actions)
    if read.hasHandler && !found { handlerReturned(of: read, &actions) }
  }

  /// Records the end of a read from the page cache, if no action can follow from it.
  ///
  /// That is the usual case, and spares the caller a list of actions.
  ///
  /// - Returns: Whether it was recorded; otherwise `endedAtOnce` has to record it.
  mutating func endedAtOnceAlone(_ read: ReadAtOnce, found: Bool) -> Bool {
    guard found || !read.hasHandler, usedCount > 0, !order.isAnyWaiting else { return false }
    cacheGuess.note(found: found)
    order.ended(on: .positioned)
    return true
  }

  /// Records that the handler of a read from the page cache has returned, if no action can follow
  /// from it.
  ///
  /// - Returns: Whether it was recorded; otherwise `handlerReturned` has to record it.
  mutating func handlerReturnedAlone(of read: ReadAtOnce) -> Bool {
    guard usedCount > 0 else { return false }
    let isRecorded = channels.change(read.channel) { channel in
      if channel.isHidden { return false }
      channel.readAtOnceCount -= 1
      return true
    }
    guard isRecorded == true else { return false }
    openCount -= 1
    return true
  }

  /// Returns whether the next read of a pipe is worth an attempt on the thread that starts it.
  mutating func mayLookIntoPipe() -> Bool { cacheGuess.mayLook() }

  /// Records whether an attempt to read at once has found bytes.
  mutating func searched(found: Bool) {
    cacheGuess.note(found: found)
  }

  /// Records that the handler of a read from the page cache has returned.
  mutating func handlerReturned(of read: ReadAtOnce, _ actions: inout Actions) {
    channels.change(read.channel) { $0.readAtOnceCount -= 1 }
    oneLessOpen(of: read.channel, &actions)
  }

  /// Adds a barrier to the order, also when the channel is closed.
  mutating func submitBarrier(_ barrier: ChannelBarrier, _ actions: inout Actions) {
    channels.change(barrier.channel) { $0.barrierCount += 1 }
    order.submitBarrier(barrier)
    advance(&actions)
  }

  /// Records that an operation no longer needs the descriptor.
  mutating func ended(on ordering: OrderingConstraint, _ actions: inout Actions) {
    order.ended(on: ordering)
    advance(&actions)
  }

  /// Records that the last handler of an operation has returned.
  mutating func handlersReturned(channel: Int, _ operation: OperationID, _ actions: inout Actions) {
    channels.change(channel) { $0.remove(operation) }
    oneLessOpen(of: channel, &actions)
  }

  private mutating func oneLessOpen(of channel: Int, _ actions: inout Actions) {
    openCount -= 1
    cleanUpAlone(channel, &actions)
    cleanUpTogether(&actions)
  }

  /// Records that the closure of a barrier has returned.
  mutating func barrierEnded(channel: Int, _ actions: inout Actions) {
    channels.change(channel) { $0.barrierCount -= 1 }
    order.barrierEnded()
    cleanUpAlone(channel, &actions)
    advance(&actions)
  }

  /// Closes a channel for further operations.
  ///
  /// - Returns: The operations to be stopped.
  mutating func close(
    channel number: Int,
    stops: Bool,
    _ actions: inout Actions
  ) -> [any ChannelOperation] {
    guard let channel = channels[number] else { return [] }
    if !channel.isClosed, channel.creationError == nil { usedCount -= 1 }
    channels.change(number) { channel in
      channel.isClosed = true
      if stops { channel.isStopped = true }
    }
    cleanUpAlone(number, &actions)
    cleanUpTogether(&actions)
    return stops ? channel.open.all : []
  }

  /// Changes the settings of a channel.
  ///
  /// - Returns: The old settings.
  mutating func changeSettings(
    of channel: Int,
    _ body: (inout ChannelSettings) -> Void
  ) -> ChannelSettings? {
    channels.change(channel) { channel in
      defer { body(&channel.settings) }
      return channel.settings
    }
  }

  private mutating func advance(_ actions: inout Actions) {
    while first == nil, let step = order.next(takesNew: underWay.isEmpty) {
      switch step {
      case .start(let operation): begin(operation, &actions)
      case .runBarrier(let barrier): actions.append(.runBarrier(barrier))
      }
    }
    cleanUpTogether(&actions)
  }

  private mutating func begin(_ operation: any ChannelOperation, _ actions: inout Actions) {
    let base: Int64
    switch channels.look(at: operation.channel, { $0.base }) {
    case .success(let known): base = known
    case .failure(let error): return actions.append(.start(operation, on: .failure(error)))
    case nil: return actions.append(.start(operation, on: .failure(.canceled)))
    }
    if operation.ordering == .immediate {
      return actions.append(.start(operation, on: .success(nil)))
    }
    switch file {
    case .failed(let error): actions.append(.start(operation, on: .failure(error)))
    case .open(var file):
      file.base = base
      file.isUnshared = order.runningCount == 1
      file.searchesCache =
        operation.searchesCache && file.traits.kind == .seekable && !file.traits.isDirect
        && cacheGuess.mayLook()
      actions.append(.start(operation, on: .success(file)))
    case .unopened where operation.isOver:
      // A cancelled operation does not open or create a file.
      actions.append(.start(operation, on: .failure(.canceled)))
    case .unopened:
      file = .opening
      first = operation
      actions.append(.open)
    case .unknown, .opening, .closing, .closed:
      preconditionFailure("An operation begins only on a descriptor that is known and in use.")
    }
  }
}

// MARK: - The end

extension DescriptorState {
  private var haveHandlersReturned: Bool { openCount == 0 }

  /// Cleans up a channel that waits for no other: its creation failed, or it is hidden.
  private mutating func cleanUpAlone(_ number: Int, _ actions: inout Actions) {
    if channels.look(at: number, { $0.mayCleanUpAlone }) ?? false {
      cleanUp(number, channels[number]?.creationError, &actions)
    }
  }

  /// Cleans up when all channels are closed and none has open work.
  private mutating func cleanUpTogether(_ actions: inout Actions) {
    guard liveCount > 0, usedCount == 0, haveHandlersReturned, order.isIdle, underWay.isEmpty else {
      return
    }
    var error: SystemError?
    switch file {
    case .open(let open) where ownsFile:
      file = .closing
      return actions.append(.close(open.descriptor))
    case .closing: return
    case .failed(let reason): error = reason
    default: break
    }
    for number in channels.numbers where channels[number]?.hasCleanedUp == false {
      cleanUp(number, channels[number]?.creationError ?? error, &actions)
    }
  }

  private mutating func cleanUp(_ number: Int, _ error: SystemError?, _ actions: inout Actions) {
    channels.change(number) { $0.hasCleanedUp = true }
    liveCount -= 1
    actions.append(.cleanUp(channel: number, error))
    if liveCount == 0 {
      isOver = true
      actions.append(.retire)
    }
  }
}
