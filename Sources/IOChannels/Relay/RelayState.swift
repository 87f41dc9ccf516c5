import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The state machine of a relay: the numbers of the bytes that move from one channel to another.
///
/// At most one read and one write are in flight, and at most two pieces of memory are in use. Each
/// method processes an event and appends the actions that follow. `Relay` performs them in this
/// order, without its lock.
struct RelayState: Sendable {
  /// An end of the relay.
  enum Side: Hashable, Sendable {
    case source
    case destination
  }

  /// The error that ended the relay, and the channel that had it.
  struct Failure: Hashable, Sendable {
    let side: Side
    let reason: SystemError
  }

  /// An action that follows from an event.
  enum Action: Hashable, Sendable {
    /// Takes memory of the budget for the next read, for `granted`.
    case takeMemory(Int)
    /// Reads at most so many bytes, for `readEnded`.
    case read(upTo: Int)
    /// Writes the rest of the first piece, for `writeEnded`.
    case write
    /// Requests an early end of the request of a side.
    case cancel(Side)
    /// Releases memory of the budget.
    case release(Int)
    /// Reports the result.
    case report
    /// Reports the end of the operation to the channel of a side, after the result.
    case leave(Side)
  }

  /// The actions that follow from one event.
  typealias Actions = ShortList<Action>

  private enum Phase: Sendable {
    /// Bytes are read while a piece is free.
    case moving
    /// Nothing more is read. The bytes that were read are written.
    case draining(Failure?)
    /// Nothing more is requested. The kernel still has a request.
    case stopping(Failure)
    /// The result is known.
    case over(Failure?)
  }

  /// The memory of a piece, and its bytes that are to be read or that are left to be written.
  private struct Piece: Sendable {
    let memory: Int
    var count: Int
  }

  private enum Read: Sendable {
    case none
    case waitingForMemory(Piece)
    case inFlight(Piece)
  }

  /// The most pieces that have been read and not written, with the one that is being read.
  static let pieceLimit = 2
  /// The bytes of the first read, which is what a pipe has by default.
  ///
  /// A relay that waits for its first bytes holds no more memory than this.
  static let firstRead = 64 << 10

  /// The largest number of bytes of a read.
  private let step: Int
  /// The largest number of bytes of the next read.
  ///
  /// A read of so many bytes doubles it. After fewer bytes it is enough for as many again, so that
  /// a relay that waits for the next bytes of a quiet peer holds little memory.
  private var readLimit: Int
  /// The smallest limit of a read, which has room for a message (S321).
  private var leastLimit: Int
  private var unread: Int
  private var phase = Phase.moving
  private var isJoined = false
  private var isSourceReady = false
  private var isDestinationReady = false
  private var read = Read.none
  private var isWriting = false
  private var pieces = ShortList<Piece>()
  /// The number of bytes that were read.
  private(set) var readCount = 0
  /// The number of bytes that were written.
  private(set) var writtenCount = 0

  /// Creates the state of a relay of at most `count` bytes.
  ///
  /// The bytes of a file never have to be waited for, so the first read of a file may be long.
  init(count: Int, step: Int, isFile: Bool = false) {
    unread = count
    self.step = step
    leastLimit = min(Self.firstRead, step)
    readLimit = isFile ? step : leastLimit
  }

  /// Whether the result is known.
  var isOver: Bool { if case .over = phase { true } else { false } }

  /// Whether requests may be submitted.
  var isRunning: Bool {
    switch phase {
    case .moving, .draining: true
    case .stopping, .over: false
    }
  }

  /// Whether a read waits for its memory.
  var needsMemory: Bool { if case .waitingForMemory = read { true } else { false } }

  /// The error that ended the relay.
  var failure: Failure? { if case .over(let failure) = phase { failure } else { nil } }
}

// MARK: - Start and stop

extension RelayState {
  /// Records that both channels have the operation in their order, or that one has refused it.
  mutating func joined(_ refusal: Failure?, _ actions: inout Actions) {
    isJoined = true
    if let refusal { fail(refusal, &actions) }
    advance(&actions)
  }

  /// Records that the operation of a side begins, or cannot; reads have room for a message.
  ///
  /// - Returns: Whether it has ended.
  mutating func began(
    _ side: Side,
    _ error: SystemError?,
    messageRoom: Int = 1,
    _ actions: inout Actions
  ) -> Bool {
    if let error {
      fail(Failure(side: side, reason: error), &actions)
      advance(&actions)
    }
    if isOver { return true }
    switch side {
    case .source:
      isSourceReady = true
      leastLimit = min(max(leastLimit, messageRoom), step)
      readLimit = max(readLimit, leastLimit)
    case .destination: isDestinationReady = true
    }
    advance(&actions)
    return false
  }

  /// Ends the relay early: at once, or when the kernel has released all its memory.
  mutating func stop(_ failure: Failure, _ actions: inout Actions) {
    fail(failure, &actions)
    advance(&actions)
  }

  private mutating func fail(_ failure: Failure, _ actions: inout Actions) {
    guard isRunning else { return }
    if case .draining(let former?) = phase, failure.reason == .canceled {
      // The kernel may report the error of the read only once (S320).
      phase = .stopping(former)
    } else {
      phase = .stopping(failure)
    }
    switch read {
    case .none: break
    case .waitingForMemory: read = .none
    case .inFlight: actions.append(.cancel(.source))
    }
    if isWriting { actions.append(.cancel(.destination)) }
  }
}

// MARK: - Results

extension RelayState {
  /// Records that the memory of a read was taken.
  ///
  /// - Returns: Whether it is needed; otherwise it has to be released.
  mutating func granted(_ actions: inout Actions) -> Bool {
    guard case .waitingForMemory(let piece) = read else { return false }
    read = .inFlight(piece)
    actions.append(.read(upTo: piece.count))
    return true
  }

  /// Processes the result of a read.
  mutating func readEnded(_ result: Result<Int, SystemError>, _ actions: inout Actions) {
    guard case .inFlight(var piece) = read else { return }
    read = .none
    switch result {
    case .success(let count) where count > 0:
      if count == readLimit {
        readLimit = min(2 * readLimit, step)
      } else {
        readLimit = min(readLimit, max(BufferPool.capacity(for: count), leastLimit))
      }
      readCount += count
      unread -= count
      piece.count = count
      pieces.append(piece)
    case .success:
      actions.append(.release(piece.memory))
      drain(nil)
    case .failure(let reason):
      actions.append(.release(piece.memory))
      keep(Failure(side: .source, reason: reason))
    }
    advance(&actions)
  }

  /// Processes the result of a write.
  mutating func writeEnded(_ result: Result<Int, SystemError>, _ actions: inout Actions) {
    guard isWriting, let first = pieces.first else { return }
    isWriting = false
    switch result {
    case .success(let count) where count > 0:
      writtenCount += count
      if count < first.count {
        pieces.change(at: 0) { $0.count -= count }
      } else {
        actions.append(.release(first.memory))
        pieces.remove(at: 0)
      }
    case .success:
      // The kernel accepts no bytes and reports no reason: repeating would never end.
      fail(Failure(side: .destination, reason: .ioError), &actions)
    case .failure(let reason):
      let failure = Failure(side: .destination, reason: reason)
      fail(failure, &actions)
      keep(failure)
    }
    advance(&actions)
  }

  /// Stops reading because of an error, which replaces a cancellation: the kernel reports some
  /// errors only once (S320).
  private mutating func keep(_ failure: Failure) {
    drain(failure)
    guard case .stopping(let former) = phase, former.reason == .canceled,
      failure.reason != .canceled
    else { return }
    phase = .stopping(failure)
  }

  /// Stops reading.
  private mutating func drain(_ failure: Failure?) {
    if case .moving = phase { phase = .draining(failure) }
  }

  /// Appends the actions that any event may cause.
  private mutating func advance(_ actions: inout Actions) {
    guard isJoined else { return }
    if case .moving = phase, isSourceReady, isDestinationReady {
      writeNext(&actions)
      readNext(&actions)
    }
    switch phase {
    case .draining(let failure):
      if pieces.isEmpty { finish(failure, &actions) } else { writeNext(&actions) }
    case .stopping(let failure):
      if case .none = read, !isWriting { finish(failure, &actions) }
    case .moving, .over: break
    }
  }

  private mutating func writeNext(_ actions: inout Actions) {
    guard !isWriting, !pieces.isEmpty else { return }
    isWriting = true
    actions.append(.write)
  }

  private mutating func readNext(_ actions: inout Actions) {
    guard case .none = read, pieces.count < Self.pieceLimit else { return }
    if unread == 0 { return drain(nil) }
    let count = min(readLimit, unread)
    let memory = BufferPool.capacity(for: count)
    read = .waitingForMemory(Piece(memory: memory, count: count))
    actions.append(.takeMemory(memory))
  }

  /// Releases all memory and reports the result.
  private mutating func finish(_ failure: Failure?, _ actions: inout Actions) {
    phase = .over(failure)
    for piece in pieces { actions.append(.release(piece.memory)) }
    pieces.removeAll()
    actions.append(.report)
    if isSourceReady { actions.append(.leave(.source)) }
    if isDestinationReady { actions.append(.leave(.destination)) }
  }
}
