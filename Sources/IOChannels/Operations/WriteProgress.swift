import DataRegions
import RequestEngine
import SystemCalls

/// The state of one write: what is left, what is under way, what is reported when.
struct WriteProgress: TransferWork {
  private let limits: DeliveryLimits
  private var remaining: DataBuffer
  private(set) var movedCount = 0
  private var unreported = 0
  private var isInFlight = false
  private var stopError: Errno?
  private var isDone = false

  init(_ data: DataBuffer, limits: DeliveryLimits) {
    remaining = data
    self.limits = limits
  }

  var isFinished: Bool { isDone && !isInFlight }

  var wantsMore: Bool { stopError == nil }

  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout [TransferStep]) {
    goOn(&steps)
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? { .write(nextStep()) }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout [TransferStep]) {
    isInFlight = false
    switch answer {
    case .failure(let error):
      finish(error, &steps)
    case .success(0):
      // The kernel takes nothing and gives no reason: repeating would never end.
      finish(.ioError, &steps)
    case .success(let count):
      remaining = remaining.subdata(in: count..<remaining.count)
      movedCount += count
      unreported += count
      #if MUTANTS
        if Mutant.shortWriteRemainderLost.isActive { remaining = .empty }
      #endif
      if !remaining.isEmpty, stopError == nil, unreported >= limits.lowWater {
        unreported = 0
        steps.append(.deliver(Delivery(isDone: false, data: remaining, error: nil)))
      }
      goOn(&steps)
    }
  }

  /// What handlers are shown is the caller's own data, so their pace holds nothing back.
  mutating func returned(from delivery: Delivery, _ steps: inout [TransferStep]) {}

  mutating func tick(_ steps: inout [TransferStep]) {
    if isDone || stopError != nil { return }
    unreported = 0
    steps.append(.deliver(Delivery(isDone: false, data: remaining, error: nil)))
  }

  mutating func stop(_ error: Errno, _ steps: inout [TransferStep]) {
    #if MUTANTS
      if Mutant.secondDone.isActive, isDone { return finish(error, &steps) }
    #endif
    guard !isDone else { return }
    stopError = error
    if !isInFlight { finish(error, &steps) }
  }

  private mutating func goOn(_ steps: inout [TransferStep]) {
    if remaining.isEmpty {
      finish(nil, &steps)
    } else if let stopError {
      finish(stopError, &steps)
    } else {
      isInFlight = true
      // The bytes are the caller's, so no memory has to be waited for.
      steps.append(.transfer(tag: 0, memory: 0, offset: movedCount))
    }
  }

  private mutating func finish(_ error: Errno?, _ steps: inout [TransferStep]) {
    isDone = true
    let rest = error == nil ? nil : remaining
    remaining = .empty
    steps.append(.deliver(Delivery(isDone: true, data: rest, error: error)))
  }

  /// The first region whole (S24), and further ones while they fit, never above high water.
  private func nextStep() -> DataBuffer {
    var count = 0
    for region in remaining.regions.prefix(Request.regionLimit) {
      if count > 0, count + region.count > limits.step { break }
      count += region.count
      if count >= limits.step { break }
    }
    return remaining.subdata(in: 0..<min(count, limits.highWater))
  }
}
