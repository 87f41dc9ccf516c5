import DataRegions
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The state of one write: what is left, what is under way, what is reported when.
struct WriteProgress: TransferWork {
  private let limits: DeliveryLimits
  private let pool: BufferPool
  /// How the bytes lie in the file's blocks, where that matters.
  private var blocks: DirectBlocks?
  /// The memory into which the transfer that is under way was copied.
  private var copiedMemory = 0
  private var remaining: DataBuffer
  private(set) var movedCount = 0
  private var unreported = 0
  private var isInFlight = false
  private var stopError: SystemError?
  private var isDone = false

  /// - Parameters:
  ///   - data: What is written.
  ///   - limits: How progress is told.
  ///   - pool: Where memory comes from that suits a disk.
  init(_ data: DataBuffer, limits: DeliveryLimits, pool: BufferPool) {
    remaining = data
    self.pool = pool
    self.limits = limits
  }

  var isFinished: Bool { isDone && !isInFlight }

  var wantsMore: Bool { stopError == nil }

  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout TransferSteps) {
    // What is appended goes through the page cache (S141), and its rest must not wait for memory.
    let isAppended = file?.traits.isAppending ?? false
    blocks = isAppended ? nil : DirectBlocks(of: file, first: first)
    goOn(&steps)
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? {
    let step = nextStep()
    if memory(for: step) == 0 { return .write(step) }
    guard let buffer = pool.makeBuffer(atLeast: step.count) else { return nil }
    copiedMemory = memory(for: step)
    return .write(buffer.filled(with: step))
  }

  /// The memory that a step is copied into: that of the caller lies anywhere, blocks of a disk that
  /// are written past the page cache have to lie on a page.
  private func memory(for step: DataBuffer) -> Int {
    guard blocks != nil, step.count.isMultiple(of: DirectBlocks.size) else { return 0 }
    return BufferPool.capacity(for: step.count)
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout TransferSteps) {
    isInFlight = false
    if copiedMemory > 0 { steps.append(.giveBack(copiedMemory)) }
    copiedMemory = 0
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
      if !remaining.isEmpty, stopError == nil, unreported >= limits.lowWater {
        unreported = 0
        steps.append(.deliver(Delivery(isDone: false, data: remaining, error: nil)))
      }
      goOn(&steps)
    }
  }

  /// What handlers are shown is the caller's own data, so their pace holds nothing back.
  mutating func returned(from delivery: Delivery, _ steps: inout TransferSteps) {}

  mutating func tick(_ steps: inout TransferSteps) {
    if isDone || stopError != nil { return }
    unreported = 0
    steps.append(.deliver(Delivery(isDone: false, data: remaining, error: nil)))
  }

  mutating func stop(_ error: SystemError, _ steps: inout TransferSteps) {
    guard !isDone else { return }
    stopError = error
    if !isInFlight { finish(error, &steps) }
  }

  private mutating func goOn(_ steps: inout TransferSteps) {
    if remaining.isEmpty {
      finish(nil, &steps)
    } else if let stopError {
      finish(stopError, &steps)
    } else {
      isInFlight = true
      // Bytes that stay where the caller has them need no memory that has to be waited for.
      let memory = blocks == nil ? 0 : memory(for: nextStep())
      steps.append(.transfer(tag: 0, memory: memory, offset: movedCount))
    }
  }

  private mutating func finish(_ error: SystemError?, _ steps: inout TransferSteps) {
    isDone = true
    let rest = error == nil ? nil : remaining
    remaining = .empty
    steps.append(.deliver(Delivery(isDone: true, data: rest, error: error)))
  }

  /// The first region whole (S24), and further ones while they fit, never above high water.
  private func nextStep() -> DataBuffer {
    if let blocks { return remaining.subdata(in: 0..<directCount(blocks)) }
    var count = 0
    let limit = min(limits.step, limits.highWater)
    for region in remaining.regions.prefix(Request.regionLimit) {
      if count > 0, count + region.count > limit { break }
      count += region.count
      if count >= limit { break }
    }
    return remaining.subdata(in: 0..<min(count, limits.highWater))
  }

  /// Whole blocks, or what comes before the first or behind the last of them.
  private func directCount(_ blocks: DirectBlocks) -> Int {
    let most = min(remaining.count, limits.step, limits.highWater)
    let head = blocks.head(at: movedCount)
    if head > 0 { return min(most, DirectBlocks.size - head) }
    return most < DirectBlocks.size ? most : most & ~(DirectBlocks.size - 1)
  }
}
