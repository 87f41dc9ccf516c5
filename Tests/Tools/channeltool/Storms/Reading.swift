import IOChannels
import IOChannelsEngine
import IOChannelsLocks

/// Holds what a channel delivers against the bytes of its file, and counts ends.
final class Reading: Sendable {
  private struct State {
    var operations: [Operation] = []
    /// Where the next byte of a stream comes from.
    var position = 0
    var deliveriesUntilStop = Int.max
    var channel: IOChannel?
    /// Pieces that are looked at once more at the end: nobody may have changed them.
    var kept: [(data: DataBuffer, start: Int)] = []
  }

  private struct Operation {
    let offset: Int
    let length: Int
    var count = 0
    var error: SystemError?
    var isDone = false
  }

  /// What may go wrong.
  struct Expectation: Sendable {
    var mayBeStopped: Bool
    var mayBeWithoutDescriptor = false
    /// Whether the peer resets the connection after the last byte.
    var mayBeReset = false
    /// The size of all packets but the last; nil for bytes without bounds.
    var packetSize: Int?
  }

  private let kind: IOChannel.StreamType
  private let bytes: DataBuffer
  private let expectation: Expectation
  private let keepsPieces: Bool
  /// Not a `Mutex`, whose slow path the thread sanitizer does not see.
  private let state = BargingLock(State())
  /// Entered for each operation until it is done.
  let running = WorkGroup()

  init(
    _ kind: IOChannel.StreamType,
    of bytes: DataBuffer,
    _ expectation: Expectation,
    keepsPieces: Bool
  ) {
    self.kind = kind
    self.bytes = bytes
    self.expectation = expectation
    self.keepsPieces = keepsPieces
  }

  /// Has the channel stopped by the handler of its n-th delivery.
  func stop(_ channel: IOChannel, atDelivery number: Int) {
    state.withLock { state in
      state.channel = channel
      state.deliveriesUntilStop = number
    }
  }

  /// The handler of a new operation, for the one queue of the channel.
  func handler(offset: Int, length: Int) -> IOChannel.Handler {
    running.enter()
    let index = state.withLock { state in
      state.operations.append(Operation(offset: offset, length: length))
      return state.operations.count - 1
    }
    return { [self] isDone, data, error in
      took(index, isDone, data, SystemError(errno: error))?.close(flags: .stop)
      if isDone { running.leave() }
    }
  }

  /// Takes a delivery.
  ///
  /// - Returns: The channel if it is to be stopped now.
  private func took(
    _ index: Int,
    _ isDone: Bool,
    _ data: DataBuffer?,
    _ error: SystemError?
  ) -> IOChannel? {
    state.withLock { state in
      check(!state.operations[index].isDone)
      state.operations[index].isDone = isDone
      state.operations[index].error = error
      check(error == nil || isDone && allows(error))
      if let data, !data.isEmpty {
        let before = state.operations[index].count
        // An operation begins with the next packet; the kernel has dropped the rest of the last.
        if before == 0 { state.position = packetEnd(state.position) }
        let start =
          kind == .stream ? state.position : state.operations[index].offset + before
        state.operations[index].count += data.count
        state.position += data.count
        checkBytes(data, at: start)
        if keepsPieces { state.kept.append((data, start)) }
      }
      state.deliveriesUntilStop -= state.channel == nil ? 0 : 1
      return state.deliveriesUntilStop == 0 ? state.channel.take() : nil
    }
  }

  private func allows(_ error: SystemError?) -> Bool {
    switch error {
    case .canceled: expectation.mayBeStopped
    case .badFileDescriptor: expectation.mayBeWithoutDescriptor
    case .connectionReset: expectation.mayBeReset
    default: false
    }
  }

  /// The end of the packet with the byte before a position, or the end of all bytes.
  private func packetEnd(_ position: Int) -> Int {
    guard let size = expectation.packetSize else { return position }
    return min((position + size - 1) / size * size, bytes.count)
  }

  private func checkBytes(_ data: DataBuffer, at start: Int) {
    check(start + data.count <= bytes.count)
    check(bytes.subdata(in: start..<start + data.count) == data)
  }

  /// The bytes that were read: those that were delivered, and the rests of their packets.
  var count: Int { state.withLock { packetEnd($0.position) } }

  /// The number of operations that ended with a reset.
  var resetCount: Int {
    state.withLock { $0.operations.count { $0.error == .connectionReset } }
  }

  /// Looks at the whole when the cleanup handler runs.
  func checkEnd(_ error: SystemError?) {
    let state = state.withLock { state in
      defer {
        state.channel = nil
        state.kept = []
      }
      return state
    }
    check(error == nil || allows(error))
    for (data, start) in state.kept { checkBytes(data, at: start) }
    var streamed = 0
    for operation in state.operations {
      check(operation.isDone)
      streamed = packetEnd(streamed)
      let start = kind == .stream ? streamed : operation.offset
      let whole = min(operation.length, max(0, bytes.count - start))
      check(operation.count <= whole)
      // The bytes before a reset come first.
      if operation.error == nil || operation.error == .connectionReset {
        check(operation.count == whole)
      }
      streamed += operation.count
    }
  }
}
