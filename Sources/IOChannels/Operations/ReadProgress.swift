internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// When a read is over, besides at the end of the file.
enum ReadExtent {
  /// When it has all bytes that were asked for.
  case whole
  /// When it has any bytes.
  case available
  /// When nothing more is there and it has any bytes; of a file, when it has all.
  case untilEmpty
}

/// The state of one read: which parts are asked for, which have come, what is delivered when.
///
/// Parts are planned as if every transfer were full, so several can be under way; their answers
/// are applied in file order, whatever order they come in. A short part is asked for again from
/// where it ended, and an empty answer to a read that was asked for in order is the end of the
/// file.
struct ReadProgress {
  /// What the owner does next, in order.
  enum Action: Equatable {
    /// Asks for bytes `range` of a part's buffer, read at `offset` from the operation's start.
    case read(part: Int, range: Range<Int>, offset: Int)
    /// Adds bytes `range` of a part's buffer to what the next delivery carries.
    case collect(part: Int, range: Range<Int>)
    /// Gives up a part's buffer.
    case drop(part: Int)
    /// Asks whether there is more to read, which `probed` is told.
    case probe
    /// Calls the handler with what was collected.
    case deliver(isDone: Bool, error: SystemError?)
  }

  /// What one event leads to.
  typealias Actions = ShortList<Action>

  /// A piece of the file that has, or will have, a buffer of its own.
  private struct Part {
    let number: Int
    /// Counted from the operation's start.
    let offset: Int
    let capacity: Int
    var filled = 0
    var collected = 0
    var isInFlight = false
    /// Whether all bytes before it had come when it was asked for.
    var isInOrder = false
    /// An answer that came before those of earlier parts.
    var answer: Result<Int, SystemError>?
  }

  private let length: Int
  private let extent: ReadExtent
  private let limits: DeliveryLimits
  private var window: ReadWindow
  private var sizeHint: Int
  private var blocks: DirectBlocks?

  /// In file order; the first is where answers are applied.
  private var parts = ShortList<Part>()
  private var nextNumber = 0
  private var planned = 0
  /// The bytes that would be undelivered after the last planned part.
  private var plannedUndelivered = 0
  /// Bytes applied in order.
  private(set) var total = 0
  private var undelivered = 0
  /// Bytes of deliveries whose handler has not returned.
  private var unreturned = 0
  private var inFlightCount = 0
  private var inFlightBytes = 0
  /// How the operation ends, once that is known.
  private var end: Result<Void, SystemError>?
  /// Why no more is asked for, although what is under way still counts.
  private var stopError: SystemError?
  private var isDone = false
  private var isProbing = false

  /// - Parameters:
  ///   - length: The most bytes to read, `Int.max` for all.
  ///   - sizeHint: Where the file seems to end. Behind it one part at a time is asked for, so that
  ///     a small file does not cost a whole window of empty answers.
  ///   - limits: How the bytes are cut into deliveries.
  ///   - window: How far the read may run ahead.
  ///   - extent: When it is over.
  init(
    length: Int,
    sizeHint: Int,
    limits: DeliveryLimits,
    window: ReadWindow,
    extent: ReadExtent = .whole
  ) {
    self.length = length
    self.extent = extent
    self.sizeHint = sizeHint
    self.limits = limits
    self.window = window
  }

  /// Whether nothing is left in the hands of the kernel and the last delivery is given out.
  var isFinished: Bool { isDone && inFlightCount == 0 }

  /// Whether what is asked for is still needed.
  var wantsMore: Bool { end == nil && stopError == nil }

  /// Changes what is known of the file, before the start.
  mutating func expect(sizeHint: Int, window: ReadWindow, blocks: DirectBlocks?) {
    self.blocks = blocks
    self.sizeHint = length > limits.step ? sizeHint : length
    self.window = window
  }

  /// Starts the operation.
  mutating func start(_ actions: inout Actions) {
    if length == 0 { finish(.success(()), &actions) }
    plan(&actions)
  }

  /// Takes the answer of a part.
  mutating func answered(
    part number: Int,
    _ answer: Result<Int, SystemError>,
    _ actions: inout Actions
  ) {
    guard let index = parts.firstIndex(where: { $0.number == number && $0.isInFlight }) else {
      return
    }
    parts[index].isInFlight = false
    parts[index].answer = answer
    inFlightCount -= 1
    inFlightBytes -= parts[index].capacity - parts[index].filled
    while end == nil, let first = parts.first, let answer = first.answer {
      parts[0].answer = nil
      apply(answer, &actions)
    }
    plan(&actions)
    finishIfPossible(&actions)
  }

  /// Notes that a handler has returned, which makes room for more.
  mutating func returned(bytes: Int, _ actions: inout Actions) {
    unreturned -= bytes
    plan(&actions)
  }

  /// Delivers what has come, also nothing.
  mutating func tick(_ actions: inout Actions) {
    guard wantsMore else { return }
    collectFirst(&actions)
    deliver(&actions)
  }

  /// Goes on, or ends where nothing more is there.
  mutating func probed(hasMore: Bool, _ actions: inout Actions) {
    isProbing = false
    if !hasMore, end == nil { end = .success(()) }
    if wantsMore, let first = parts.first, !first.isInFlight { read(at: 0, &actions) }
    plan(&actions)
    finishIfPossible(&actions)
  }

  /// Ends the operation early, once the kernel has given back what it has.
  ///
  /// What has come, and what still comes, is delivered before the error.
  mutating func stop(_ error: SystemError, _ actions: inout Actions) {
    stopError = error
    finishIfPossible(&actions)
  }

  private mutating func apply(_ answer: Result<Int, SystemError>, _ actions: inout Actions) {
    switch answer {
    case .failure(let error):
      end = .failure(error)
    case .success(0) where !parts[0].isInOrder && stopError == nil:
      // Some file systems name another length at each read: beside others a read may find an end
      // that is none.
      read(at: 0, &actions)
    case .success(0):
      end = .success(())
    case .success(let count):
      take(count, &actions)
      if extent == .available, end == nil {
        collectFirst(&actions)
        finish(.success(()), &actions)
      } else if extent == .untilEmpty, window.parts == 1, end == nil, stopError == nil {
        isProbing = true
        actions.append(.probe)
      }
      if parts[0].filled == parts[0].capacity {
        collectFirst(&actions)
        actions.append(.drop(part: parts[0].number))
        parts.remove(at: 0)
      } else if stopError == nil, end == nil, !isProbing {
        read(at: 0, &actions)
      }
    }
  }

  /// Takes bytes of the first part, delivering as often as the marks say.
  private mutating func take(_ count: Int, _ actions: inout Actions) {
    var rest = count
    while rest > 0 {
      // After a short transfer more may be left undelivered than was planned for.
      let step = min(rest, limits.highWater - undelivered)
      parts[0].filled += step
      total += step
      undelivered += step
      rest -= step
      if total == length {
        collectFirst(&actions)
        finish(.success(()), &actions)
      } else if isAtLowWater {
        collectFirst(&actions)
        deliver(&actions)
      }
    }
  }

  private var isAtLowWater: Bool {
    undelivered >= limits.lowWater
  }

  /// Moves what the first part holds into the next delivery.
  private mutating func collectFirst(_ actions: inout Actions) {
    guard let first = parts.first, first.filled > first.collected else { return }
    actions.append(.collect(part: first.number, range: first.collected..<first.filled))
    parts[0].collected = first.filled
  }

  private mutating func deliver(_ actions: inout Actions) {
    actions.append(.deliver(isDone: false, error: nil))
    unreturned += undelivered
    undelivered = 0
  }

  /// Ends the operation with everything that was asked for in the last delivery.
  private mutating func finish(_ result: Result<Void, SystemError>, _ actions: inout Actions) {
    end = result
    isDone = true
    unreturned += undelivered
    undelivered = 0
    actions.append(.deliver(isDone: true, error: nil))
  }

  /// Delivers the end once the kernel has given everything back.
  private mutating func finishIfPossible(_ actions: inout Actions) {
    guard inFlightCount == 0, let end = end ?? stopError.map({ .failure($0) }) else { return }
    self.end = end
    if !isDone {
      isDone = true
      collectFirst(&actions)
      if undelivered > 0 { deliver(&actions) }
      switch end {
      case .success: actions.append(.deliver(isDone: true, error: nil))
      case .failure(let error): actions.append(.deliver(isDone: true, error: error))
      }
    }
    for index in parts.indices { actions.append(.drop(part: parts[index].number)) }
    parts.removeAll()
  }

  /// Asks for as many parts as the window allows.
  private mutating func plan(_ actions: inout Actions) {
    while end == nil, mayGoOn, !isProbing, planned < length {
      guard planned < sizeHint || parts.isEmpty else { return }
      if parts.isEmpty { plannedUndelivered = undelivered }
      // Bytes before the part in its block take room in the same memory.
      let head = blocks?.head(at: planned) ?? 0
      let capacity = min(
        max(1, limits.step - head),
        limits.highWater - plannedUndelivered,
        length - planned
      )
      let held = inFlightBytes + unreturned
      guard window.allows(capacity, parts: parts.count, held: held) else { return }
      parts.append(Part(number: nextNumber, offset: planned, capacity: capacity))
      nextNumber += 1
      planned += capacity
      plannedUndelivered += capacity
      if plannedUndelivered >= limits.lowWater { plannedUndelivered = 0 }
      read(at: parts.count - 1, &actions)
    }
  }

  /// Whether no stop forbids further requests.
  private var mayGoOn: Bool {
    stopError == nil
  }

  private mutating func read(at index: Int, _ actions: inout Actions) {
    let part = parts[index]
    parts[index].isInFlight = true
    parts[index].isInOrder = index == 0
    inFlightCount += 1
    inFlightBytes += part.capacity - part.filled
    let range = part.filled..<part.capacity
    actions.append(
      .read(part: part.number, range: range, offset: part.offset + part.filled)
    )
  }
}
