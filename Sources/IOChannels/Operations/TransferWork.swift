import DataRegions
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// What a handler is called with.
struct Delivery {
  let isDone: Bool
  let data: DataBuffer?
  let error: SystemError?
  /// The bytes of memory that are in use until the handler has returned.
  var memory = 0
}

/// What an operation does next.
enum TransferStep {
  /// Moves bytes between memory and the file, `offset` counted from the operation's start, once
  /// there is room for so many bytes of memory; `makeTransfer` tells which.
  case transfer(tag: Int, memory: Int, offset: Int)
  /// Gives memory back.
  case giveBack(Int)
  /// Calls the handler.
  case deliver(Delivery)
}

/// What one event leads to.
typealias TransferSteps = ShortList<TransferStep>

/// The part of an operation that decides: events in, steps out, in the order to be done.
protocol TransferWork: Sendable {
  /// Whether the kernel has nothing of it and the last delivery is given out.
  var isFinished: Bool { get }
  /// Whether transfers that wait for memory are still needed.
  var wantsMore: Bool { get }
  /// The bytes that were moved so far, counted from the operation's start without a gap.
  var movedCount: Int { get }

  /// Begins at an offset of the file, if that has offsets; without a file when there is nothing to
  /// move.
  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout TransferSteps)
  /// What to do for the transfer with this tag, nil when the system has no memory.
  mutating func makeTransfer(_ tag: Int) -> Request.Operation?
  /// Takes the answer to the transfer with this tag.
  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout TransferSteps)
  /// Notes that a handler has returned from a delivery.
  mutating func returned(from delivery: Delivery, _ steps: inout TransferSteps)
  /// Delivers what there is, also nothing, unless the end is near.
  mutating func tick(_ steps: inout TransferSteps)
  /// Ends early: at once if nothing is under way, else with the last answer.
  mutating func stop(_ error: SystemError, _ steps: inout TransferSteps)
}
