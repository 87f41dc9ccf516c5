import RequestEngine
import SystemCalls

/// The work of either kind of transfer.
///
/// Where a generic class is called through a protocol its code is that for any type, which costs
/// more than the work itself. The payload is taken out and put back, so that it stays the only
/// owner of its memory.
enum ReadOrWrite: TransferWork {
  case read(BufferedRead)
  case write(WriteProgress)

  var isFinished: Bool {
    switch self {
    case .read(let read): read.isFinished
    case .write(let write): write.isFinished
    }
  }

  var wantsMore: Bool {
    switch self {
    case .read(let read): read.wantsMore
    case .write(let write): write.wantsMore
    }
  }

  var movedCount: Int {
    switch self {
    case .read(let read): read.movedCount
    case .write(let write): write.movedCount
    }
  }

  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout [TransferStep]) {
    switch consume self {
    case .read(var read):
      read.start(on: file, at: first, &steps)
      self = .read(read)
    case .write(var write):
      write.start(on: file, at: first, &steps)
      self = .write(write)
    }
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? {
    switch consume self {
    case .read(var read):
      defer { self = .read(read) }
      return read.makeTransfer(tag)
    case .write(var write):
      defer { self = .write(write) }
      return write.makeTransfer(tag)
    }
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout [TransferStep]) {
    switch consume self {
    case .read(var read):
      read.answered(tag, answer, &steps)
      self = .read(read)
    case .write(var write):
      write.answered(tag, answer, &steps)
      self = .write(write)
    }
  }

  mutating func returned(from delivery: Delivery, _ steps: inout [TransferStep]) {
    switch consume self {
    case .read(var read):
      read.returned(from: delivery, &steps)
      self = .read(read)
    case .write(var write):
      write.returned(from: delivery, &steps)
      self = .write(write)
    }
  }

  mutating func tick(_ steps: inout [TransferStep]) {
    switch consume self {
    case .read(var read):
      read.tick(&steps)
      self = .read(read)
    case .write(var write):
      write.tick(&steps)
      self = .write(write)
    }
  }

  mutating func stop(_ error: Errno, _ steps: inout [TransferStep]) {
    switch consume self {
    case .read(var read):
      read.stop(error, &steps)
      self = .read(read)
    case .write(var write):
      write.stop(error, &steps)
      self = .write(write)
    }
  }
}
