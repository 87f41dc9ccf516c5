import DataRegions
import IOChannelsEngine
import IOChannelsSystem

/// The work of either kind of transfer.
///
/// Where a generic class is called through a protocol its code is that for any type, which costs
/// more than the work itself. One of the two is there, and is changed where it is: taken out of an
/// enumeration and put back it would be moved twice for each event.
struct ReadOrWrite: TransferWork {
  private var read: BufferedRead?
  private var write: WriteProgress?

  init(_ read: BufferedRead) { self.read = read }
  init(_ write: WriteProgress) { self.write = write }

  var isFinished: Bool { read?.isFinished ?? write?.isFinished ?? true }

  var wantsMore: Bool { read?.wantsMore ?? write?.wantsMore ?? false }

  var movedCount: Int { read?.movedCount ?? write?.movedCount ?? 0 }

  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout TransferSteps) {
    read?.start(on: file, at: first, &steps)
    write?.start(on: file, at: first, &steps)
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? {
    read?.makeTransfer(tag) ?? write?.makeTransfer(tag)
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout TransferSteps) {
    read?.answered(tag, answer, &steps)
    write?.answered(tag, answer, &steps)
  }

  mutating func returned(from delivery: Delivery, _ steps: inout TransferSteps) {
    read?.returned(from: delivery, &steps)
    write?.returned(from: delivery, &steps)
  }

  mutating func tick(_ steps: inout TransferSteps) {
    read?.tick(&steps)
    write?.tick(&steps)
  }

  mutating func stop(_ error: SystemError, _ steps: inout TransferSteps) {
    read?.stop(error, &steps)
    write?.stop(error, &steps)
  }
}

/// What a channel was asked to move, until its turn comes.
enum TransferJob {
  case read(length: Int, DeliveryLimits, ReadExtent)
  case write(DataBuffer, DeliveryLimits)

  /// The work, which takes several times as much memory.
  func makeWork(for engine: Engine) -> ReadOrWrite {
    switch self {
    case .read(let length, let limits, let extent):
      ReadOrWrite(BufferedRead(length: length, limits: limits, extent: extent, engine: engine))
    case .write(let data, let limits):
      ReadOrWrite(WriteProgress(data, limits: limits, pool: engine.buffers))
    }
  }
}
