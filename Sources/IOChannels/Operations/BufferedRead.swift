import DataRegions
import RequestEngine
import SystemCalls

/// A read with the memory that its parts are read into.
struct BufferedRead: TransferWork {
  private let pool: BufferPool
  private let windowBytes: Int
  private let extent: ReadExtent
  private var progress: ReadProgress
  /// Where it reads, once it has begun and if there are any bytes.
  private var descriptor: BorrowedDescriptor?
  private var actions: [ReadProgress.Action] = []
  /// The parts that have memory, or wait for it: a handful, as many as the window has.
  private var parts: [Part] = []
  private var collected = DataBuffer.empty

  private struct Part {
    let number: Int
    /// The bytes of memory that it has, or waits for.
    let memory: Int
    /// Where its next transfer goes.
    var range: Range<Int>
    var buffer: PooledBuffer?
  }

  init(length: Int, limits: DeliveryLimits, extent: ReadExtent, engine: Engine) {
    progress = ReadProgress(
      length: length,
      sizeHint: 0,
      limits: limits,
      window: .inOrder,
      extent: extent
    )
    self.extent = extent
    windowBytes = engine.sizes.window
    pool = engine.buffers
  }

  var isFinished: Bool { progress.isFinished }
  var movedCount: Int { progress.total }
  var wantsMore: Bool { progress.wantsMore }

  mutating func start(on file: OpenFile?, _ steps: inout [TransferStep]) {
    let mayRunAhead = file?.traits.kind == .seekable && extent != .available
    var window = mayRunAhead ? ReadWindow.ahead : .inOrder
    window.bytes = windowBytes
    descriptor = file?.descriptor
    progress.expect(sizeHint: file?.size ?? 0, window: window)
    progress.start(&actions)
    translate(&steps)
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? {
    guard let index = parts.firstIndex(where: { $0.number == tag }) else { return nil }
    let part = parts[index]
    let buffer = part.buffer ?? pool.makeBuffer(atLeast: part.memory)
    parts[index].buffer = buffer
    return buffer.map { .read($0, part.range) }
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout [TransferStep]) {
    progress.answered(part: tag, answer, &actions)
    translate(&steps)
  }

  mutating func returned(from delivery: Delivery, _ steps: inout [TransferStep]) {
    progress.returned(bytes: delivery.data?.count ?? 0, &actions)
    translate(&steps)
  }

  mutating func tick(_ steps: inout [TransferStep]) {
    progress.tick(&actions)
    translate(&steps)
  }

  mutating func stop(_ error: Errno, _ steps: inout [TransferStep]) {
    progress.stop(error, &actions)
    translate(&steps)
  }

  private mutating func translate(_ steps: inout [TransferStep]) {
    var index = 0
    // A probe is answered at once, which adds further actions.
    while index < actions.count {
      defer { index += 1 }
      switch actions[index] {
      case .probe:
        progress.probed(hasMore: descriptor?.isReadable ?? false, &actions)
      case .read(let part, let range, let offset):
        steps.append(.transfer(tag: part, memory: prepare(part, range), offset: offset))
      case .collect(let part, let range):
        guard let buffer = parts.first(where: { $0.number == part })?.buffer else { break }
        collected.append(buffer.filled(range))
      case .drop(let part):
        guard let index = parts.firstIndex(where: { $0.number == part }) else { break }
        let part = parts.remove(at: index)
        #if MUTANTS
          if Mutant.budgetNotReturnedOnError.isActive, progress.error != nil { break }
        #endif
        if part.buffer != nil { steps.append(.giveBack(part.memory)) }
      case .deliver(let isDone, let error):
        let data = error == nil ? collected : nil
        collected = .empty
        let memory = data?.count ?? 0
        steps.append(
          .deliver(Delivery(isDone: isDone, data: data, error: error, memory: memory))
        )
      }
    }
    actions.removeAll(keepingCapacity: true)
  }

  /// Notes what the next transfer of a part fills, and gives the memory that it needs for that.
  private mutating func prepare(_ number: Int, _ range: Range<Int>) -> Int {
    if let index = parts.firstIndex(where: { $0.number == number }) {
      parts[index].range = range
      return 0
    }
    let memory = BufferPool.capacity(for: range.upperBound)
    parts.append(Part(number: number, memory: memory, range: range))
    return memory
  }
}
