import DataRegions
import QueueRuntime
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// A read with the memory that its parts are read into.
struct BufferedRead: TransferWork {
  private let pool: BufferPool
  private let windowBytes: Int
  private let extent: ReadExtent
  private var progress: ReadProgress
  /// Where it reads, once it has begun and if there are any bytes.
  private var descriptor: BorrowedDescriptor?
  /// How its bytes lie in blocks, where that matters.
  private var blocks: DirectBlocks?
  /// The parts that have memory, or wait for it: a handful, as many as the window has.
  private var parts = ShortList<Part>()
  private var collected = DataBuffer.empty

  private struct Part {
    let number: Int
    /// The bytes of memory that it has, or waits for.
    let memory: Int
    /// What the next transfer is wanted for, counted from the part's start.
    var range: Range<Int>
    /// Where in the memory the part starts, behind bytes of its first block.
    let start: Int
    /// The bytes that the next transfer brings before the wanted ones.
    var head = 0
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

  mutating func start(on file: OpenFile?, at first: Int64?, _ steps: inout TransferSteps) {
    // On FUSE the kernel sets the length of a file by each short read and by each look at it, and
    // reads side by side find zeros between the two.
    let mayRunAhead =
      file?.traits.kind == .seekable && file?.traits.fileSystem != .fuse
      && first != nil && extent != .available
    var window = mayRunAhead ? ReadWindow.ahead : .inOrder
    window.bytes = windowBytes
    descriptor = file?.descriptor
    blocks = DirectBlocks(of: file, first: first)
    progress.expect(sizeHint: file?.size ?? 0, window: window, blocks: blocks)
    follow(&steps) { $0.start(&$1) }
  }

  mutating func makeTransfer(_ tag: Int) -> Request.Operation? {
    guard let index = parts.firstIndex(where: { $0.number == tag }) else { return nil }
    let part = parts[index]
    let buffer = part.buffer ?? pool.makeBuffer(atLeast: part.memory)
    parts[index].buffer = buffer
    let start = part.start + part.range.lowerBound - part.head
    let end = part.start + part.range.upperBound
    return buffer.map { .read($0, start..<(blocks == nil ? end : DirectBlocks.end(of: end))) }
  }

  mutating func answered(_ tag: Int, _ answer: TransferResult, _ steps: inout TransferSteps) {
    let part = parts.firstIndex { $0.number == tag }
    let (head, most) = part.map { (parts[$0].head, parts[$0].range.count) } ?? (0, .max)
    let wanted = answer.map { count in max(0, min(count - head, most)) }
    follow(&steps) { $0.answered(part: tag, wanted, &$1) }
  }

  mutating func returned(from delivery: Delivery, _ steps: inout TransferSteps) {
    follow(&steps) { $0.returned(bytes: delivery.data?.count ?? 0, &$1) }
  }

  mutating func tick(_ steps: inout TransferSteps) {
    follow(&steps) { $0.tick(&$1) }
  }

  mutating func stop(_ error: SystemError, _ steps: inout TransferSteps) {
    follow(&steps) { $0.stop(error, &$1) }
  }

  /// Tells the progress of an event and does what follows from that.
  private mutating func follow(
    _ steps: inout TransferSteps,
    _ event: (inout ReadProgress, inout ReadProgress.Actions) -> Void
  ) {
    var actions = ReadProgress.Actions()
    event(&progress, &actions)
    var index = 0
    // A probe is answered at once, which adds further actions.
    while index < actions.count {
      defer { index += 1 }
      switch actions[index] {
      case .probe:
        progress.probed(hasMore: descriptor?.isReadable ?? false, &actions)
      case .read(let part, let range, let offset):
        let head = blocks?.head(at: offset) ?? 0
        if head > 0, range.lowerBound > 0 {
          // Only the end of the file ends a transfer inside of a block.
          progress.answered(part: part, .success(0), &actions)
          break
        }
        let memory = prepare(part, range, head: head)
        steps.append(.transfer(tag: part, memory: memory, offset: offset - head))
      case .collect(let part, let range):
        guard let index = parts.firstIndex(where: { $0.number == part }) else { break }
        let part = parts[index]
        let place = part.start + range.lowerBound..<part.start + range.upperBound
        if let buffer = part.buffer { collected.append(buffer.filled(place)) }
      case .drop(let part):
        guard let index = parts.firstIndex(where: { $0.number == part }) else { break }
        let part = parts[index]
        parts.remove(at: index)
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
  }

  /// Notes what the next transfer of a part fills, and gives the memory that it needs for that.
  private mutating func prepare(_ number: Int, _ range: Range<Int>, head: Int) -> Int {
    if let index = parts.firstIndex(where: { $0.number == number }) {
      parts[index].range = range
      parts[index].head = 0
      return 0
    }
    // Up to the end of a block it is the same.
    let memory = BufferPool.capacity(for: head + range.upperBound)
    parts.append(Part(number: number, memory: memory, range: range, start: head, head: head))
    return memory
  }
}
