import DataRegions
internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// The reads of a plan, several at a time, whose results one task takes as they arrive.
final class RangeReads: Sendable {
  /// The result of a read: its bytes up to the end of the file, and an error.
  struct Arrival: Sendable {
    let read: Int
    let data: DataBuffer
    let error: SystemError?
  }

  private struct State {
    /// The first read that was not started.
    var next = 0
    /// The reads in flight, with the bytes that have arrived.
    var active: [Int: Active] = [:]
    /// The bytes of the reads in flight and of the results that were not taken.
    var bytes: Int64 = 0
    var arrivals: [Arrival] = []
    var waiter: CheckedContinuation<Void, Never>?
    var isCancelled = false

    /// The number of reads in flight and of results that were not taken.
    var count: Int { active.count + arrivals.count }
  }

  private struct Active {
    var operation: (any ChannelOperation)?
    var data = DataBuffer.empty
  }

  /// The most reads in flight and results that were not taken. More do not make a device faster.
  private static let countLimit = 64
  /// The most bytes of these, unless one read has more.
  private static let byteLimit: Int64 = 8 << 20

  let channel: IOChannel
  let plan: RangePlan
  private let state = BargingLock(State())

  init(_ channel: IOChannel, _ plan: RangePlan) {
    self.channel = channel
    self.plan = plan
  }

  /// Returns the next result; nil after the last one.
  ///
  /// When the task is cancelled, the reads in flight end early. If others were not started, the
  /// last result is the error of one of them.
  func next() async -> Arrival? {
    while true {
      if let arrival = takeArrival() ?? start() { return arrival }
      if state.withLock({ $0.count == 0 }) {
        return pending.map { Arrival(read: $0, data: .empty, error: .canceled) }
      }
      await withTaskCancellationHandler {
        await arrive()
      } onCancel: {
        cancel()
      }
    }
  }

  /// The reason for which no step is made: the channel has no offsets, or the task is cancelled.
  var refusal: SystemError? {
    if channel.core.kind == .stream { return .illegalSeek }
    return Task.isCancelled ? .canceled : nil
  }

  /// A read whose result was not taken; nil after the last one.
  var pending: Int? {
    state.withLock { state in
      state.arrivals.first?.read ?? state.active.keys.min()
        ?? (state.next < plan.reads.count ? state.next : nil)
    }
  }

  /// Ends all reads, and returns when the kernel has released their memory.
  func end() async {
    state.withLock { $0.next = plan.reads.count }
    cancel()
    while await next() != nil {}
  }

  /// Starts no further reads, and ends those in flight early.
  func cancel() {
    let operations = state.withLock { state in
      state.isCancelled = true
      return state.active.values.compactMap(\.operation)
    }
    for operation in operations { operation.cancel() }
  }

  private func takeArrival() -> Arrival? {
    state.withLock { state in
      if state.arrivals.isEmpty { return nil }
      let arrival = state.arrivals.removeFirst()
      state.bytes -= cost(of: arrival.read)
      return arrival
    }
  }

  /// Waits for a result.
  private func arrive() async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if !state.arrivals.isEmpty || state.active.isEmpty { return true }
        state.waiter = continuation
        return false
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// Starts reads while the limits permit.
  ///
  /// - Returns: The result of a read that needed no wait; no further read is then started.
  private func start() -> Arrival? {
    while let read = beginRead() {
      let range = plan.reads[read].range
      let length = Int(clamping: UInt64(bitPattern: range.upperBound &- range.lowerBound))
      let found =
        range.isEmpty
        ? .empty : channel.core.bytesAtOnce(length, .whole, at: range.lowerBound)
      if let found {
        state.withLock { state in
          state.active[read] = nil
          state.bytes -= cost(of: read)
        }
        return Arrival(read: read, data: found, error: nil)
      }
      submit(read, length, at: range.lowerBound)
    }
    return nil
  }

  /// Takes the next read, if the limits permit one more.
  private func beginRead() -> Int? {
    state.withLock { state in
      let read = state.next
      guard !state.isCancelled, read < plan.reads.count, state.count < Self.countLimit else {
        return nil
      }
      let bytes = cost(of: read)
      guard state.count == 0 || state.bytes + bytes <= Self.byteLimit else { return nil }
      state.next += 1
      state.active[read] = Active()
      state.bytes += bytes
      return read
    }
  }

  private func submit(_ read: Int, _ length: Int, at offset: Int64) {
    let priority = WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue)
    let operation = channel.core.read(
      offset: offset,
      length: length,
      queue: .completions(qos: priority)
    ) { [self] isDone, data, error in
      take(read, data, isDone: isDone, SystemError(errno: error))
    }
    let isCancelled = state.withLock { state in
      state.active[read]?.operation = operation
      return state.isCancelled
    }
    if isCancelled { operation?.cancel() }
  }

  private func take(_ read: Int, _ data: DataBuffer?, isDone: Bool, _ error: SystemError?) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if let data { state.active[read]?.data.append(data) }
      guard isDone, let active = state.active[read] else { return nil }
      state.active[read] = nil
      state.arrivals.append(Arrival(read: read, data: active.data, error: error))
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Returns the number of bytes of a read, at most the limit of all reads.
  private func cost(of read: Int) -> Int64 {
    let range = plan.reads[read].range
    return min(
      Int64(clamping: UInt64(bitPattern: range.upperBound &- range.lowerBound)),
      Self.byteLimit
    )
  }
}
