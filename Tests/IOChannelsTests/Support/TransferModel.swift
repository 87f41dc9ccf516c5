import DataRegions
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem
import Testing

@testable import IOChannels

/// Memory of a read that shows a file which exists only as offsets.
///
/// `@unchecked Sendable` because a test is on one thread.
final class OffsetMemory: TransferMemory, @unchecked Sendable {
  private static let bytes = DataBuffer([UInt8](repeating: 7, count: 1 << 20))

  /// The offset in the file of the first byte.
  let start: Int
  private let log: Log

  final class Log: @unchecked Sendable {
    /// The ranges of the file that were shown, in order.
    var shown: [Range<Int>] = []
  }

  init(start: Int, log: Log) {
    self.start = start
    self.log = log
  }

  func filled(_ range: Range<Int>) -> DataBuffer {
    log.shown.append(start + range.lowerBound..<start + range.upperBound)
    return Self.bytes.subdata(in: 0..<range.count)
  }
}

/// A call of a handler, or a probe.
enum ModelEvent: Equatable {
  case data(Int)
  case done(Int, SystemError? = nil)
  case probe
}

/// A `TransferStateMachine` whose actions are performed on a file that exists only as a size.
struct TransferModel {
  typealias Machine = TransferStateMachine<OffsetMemory, Int>

  var machine: Machine
  var actions = Machine.Actions()
  /// The submitted requests, as part and range of the file.
  var pending: [(part: Int, range: Range<Int>)] = []
  var cancelled: [Int] = []
  var trace: [ModelEvent] = []
  /// The deliveries whose handlers have not returned.
  var unreturned: [Delivery] = []
  var delivered = 0
  var largest = 0
  /// The position that was set, and the number of calls of handlers before.
  var position: (offset: Int64, calls: Int)?
  var endCount = 0
  /// The memory of the budget, and the transfers that wait for some.
  var held = 0
  var waiting: [Machine.Transfer] = []
  var grantsMemory = true
  private var transfers: [Int: Range<Int>] = [:]
  private let log = OffsetMemory.Log()
  private var shownEnd = 0

  init(_ job: TransferJob) {
    machine = Machine(job, windowBytes: 16 << 20)
  }

  /// Creates the model of a read that has started.
  init(
    length: Int,
    hint: Int = .max,
    window: ReadWindow = .ahead,
    messageRoom: Int = 1,
    _ limits: DeliveryLimits = .init()
  ) {
    self.init(.read(length: length, limits, .whole))
    machine.begin(at: Self.place(size: hint, messageRoom: messageRoom), window, &actions)
    perform()
  }

  /// A place at the start of a file.
  static func place(
    size: Int = .max,
    movesPosition: Bool = false,
    messageRoom: Int = 1
  ) -> TransferPlace {
    let file = OpenFile(
      descriptor: BorrowedDescriptor(rawValue: -1),
      traits: DescriptorTraits(kind: .seekable, fileSystem: .other, messageRoom: messageRoom),
      size: size
    )
    return TransferPlace(file: file, first: 0, movesPosition: movesPosition)
  }

  /// Performs the actions, as `TransferStorage` does; handlers return later.
  mutating func perform() {
    while !actions.isEmpty {
      let batch = actions
      actions.removeAll()
      for action in batch { perform(action) }
    }
    for range in log.shown {
      #expect(range.lowerBound == shownEnd, "in file order, from the first byte")
      shownEnd = range.upperBound
    }
    log.shown = []
  }

  private mutating func perform(_ action: Machine.Action) {
    switch action {
    case .prepare(let transfer):
      guard machine.requestPlace != nil, machine.part(preparedBy: transfer) != nil else { return }
      if transfer.memory > 0, !grantsMemory { return waiting.append(transfer) }
      held += transfer.memory
      prepare(transfer)
    case .submit(let part):
      if let range = transfers[part] { pending.append((part, range)) }
    case .cancel(let part): cancelled.append(part)
    case .probe: trace.append(.probe)
    case .release(let bytes): held -= bytes
    case .charge(let bytes): held += bytes
    case .setPosition(_, let offset): position = (offset, trace.count)
    case .publish: machine.publish(&actions)
    case .callHandler(let isCounted):
      if isCounted { machine.submitted(&actions) }
      callHandler()
    case .stopTimer: break
    case .end: endCount += 1
    }
  }

  private mutating func prepare(_ transfer: Machine.Transfer) {
    var memory: OffsetMemory?
    switch transfer.content {
    case .read(let known, let range):
      let start = transfer.offset - range.lowerBound
      memory = known ?? OffsetMemory(start: start, log: log)
      #expect(memory?.start == start, "the rest of a part follows on its first bytes")
      transfers[transfer.part] = transfer.offset..<transfer.offset + range.count
    case .write(let data):
      transfers[transfer.part] = transfer.offset..<transfer.offset + data.count
    }
    machine.prepared(transfer, transfer.part, memory, &actions)
  }

  /// Grants the memory of the transfer that waits for longest, and returns what is not needed.
  mutating func grant() {
    held += waiting.removeFirst().memory
    guard let transfer = machine.grantedTransfer() else { return }
    prepare(transfer)
    perform()
  }

  private mutating func callHandler() {
    let count = machine.deliveries.beginBatch() ?? 0
    for _ in 0..<count {
      guard let delivery = machine.deliveries.next() else { break }
      let bytes = delivery.data?.count ?? 0
      delivered += bytes
      largest = max(largest, bytes)
      trace.append(delivery.isDone ? .done(bytes, delivery.error) : .data(bytes))
      unreturned.append(delivery)
    }
    let isMissed = machine.deliveries.endBatch()
    #expect(!isMissed)
  }

  /// Lets the handlers of the oldest deliveries return.
  mutating func returned(_ count: Int = 1) {
    for _ in 0..<min(count, unreturned.count) {
      let delivery = unreturned.removeFirst()
      held -= delivery.memory
      if !delivery.isDone { machine.returned(from: delivery, &actions) }
      perform()
    }
  }

  /// Answers one of the submitted requests.
  mutating func answer(_ index: Int = 0, _ answer: (Range<Int>) -> Result<Int, SystemError>) {
    let (part, range) = pending.remove(at: index)
    machine.answered(part, answer(range), &actions)
    perform()
  }

  mutating func stop() {
    machine.stop(.canceled, &actions)
    perform()
  }

  /// Answers everything as a file of this size would, in order, handlers returning at once.
  mutating func run(size: Int) {
    while !pending.isEmpty {
      answer { .success(max(0, min($0.count, size - $0.lowerBound))) }
      returned(unreturned.count)
    }
  }
}
