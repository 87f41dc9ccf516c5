import DataRegions
import RequestEngine
import SystemCalls

/// A read with the memory that its parts are read into.
struct BufferedRead: TransferWork {
  private let memory: BufferPool
  private var progress: ReadProgress
  private var actions: [ReadProgress.Action] = []
  /// A handful at most: as many as the window has parts.
  private var buffers: [(part: Int, buffer: PooledBuffer)] = []
  private var collected = DataBuffer.empty

  init(_ progress: ReadProgress, memory: BufferPool) {
    self.progress = progress
    self.memory = memory
  }

  var isFinished: Bool { progress.isFinished }
  var movedCount: Int { progress.total }

  mutating func start(_ steps: inout [TransferStep]) {
    progress.start(&actions)
    translate(&steps)
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout [TransferStep]) {
    progress.answered(part: tag, answer, &actions)
    translate(&steps)
  }

  mutating func returned(from delivery: Delivery, _ steps: inout [TransferStep]) {
    progress.returned(bytes: delivery.data?.count ?? 0, &actions)
    translate(&steps)
  }

  mutating func stop(_ error: Errno, _ steps: inout [TransferStep]) {
    progress.stop(error, &actions)
    translate(&steps)
  }

  private mutating func translate(_ steps: inout [TransferStep]) {
    var index = 0
    // A part without memory is answered at once, which adds further actions.
    while index < actions.count {
      switch actions[index] {
      case .read(let part, let range, let offset):
        if let buffer = buffer(of: part, atLeast: range.upperBound) {
          steps.append(.transfer(.read(buffer, range), tag: part, offset: offset))
        } else {
          progress.answered(part: part, .failure(.noMemory), &actions)
        }
      case .collect(let part, let range):
        guard let entry = buffers.first(where: { $0.part == part }) else { break }
        collected.append(entry.buffer.filled(range))
      case .drop(let part):
        buffers.removeAll { $0.part == part }
      case .deliver(let isDone, let error):
        let data = error == nil ? collected : nil
        collected = .empty
        steps.append(.deliver(Delivery(isDone: isDone, data: data, error: error)))
      }
      index += 1
    }
    actions.removeAll(keepingCapacity: true)
  }

  private mutating func buffer(of part: Int, atLeast count: Int) -> PooledBuffer? {
    if let entry = buffers.first(where: { $0.part == part }) { return entry.buffer }
    guard let buffer = memory.makeBuffer(atLeast: count) else { return nil }
    buffers.append((part, buffer))
    return buffer
  }
}
