import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannels

/// Drives a `ReadProgress` against a file that exists only as a size.
struct ReadModel {
  var progress: ReadProgress
  var pending: [(part: Int, range: Range<Int>, offset: Int)] = []
  /// What came out: byte ranges of the file in each delivery, and how it ended.
  var trace: [TraceEntry] = []
  var collected: [Range<Int>] = []
  var delivered = 0
  var largest = 0
  var offsets: [Int: Int] = [:]
  var actions = ReadProgress.Actions()

  init(
    length: Int,
    hint: Int = .max,
    window: ReadWindow = .ahead,
    _ limits: DeliveryLimits = .init()
  ) {
    progress = ReadProgress(length: length, sizeHint: hint, limits: limits, window: window)
    progress.start(&actions)
    take()
  }

  mutating func take() {
    for action in actions {
      switch action {
      case .read(let part, let range, let offset):
        offsets[part] = offset - range.lowerBound
        pending.append((part, range, offset))
      case .collect(let part, let range):
        let start = (offsets[part] ?? -1) + range.lowerBound
        #expect(start == (collected.last?.upperBound ?? delivered), "bytes are in file order")
        collected.append(start..<start + range.count)
      case .probe:
        trace.append(.mark("probe"))
      case .drop(let part):
        offsets[part] = nil
      case .deliver(let isDone, let error):
        let count = collected.reduce(0) { $0 + $1.count }
        delivered += count
        largest = max(largest, count)
        collected = []
        trace.append(.delivery(done: isDone, bytes: count, error: error))
      }
    }
    actions.removeAll()
  }

  /// Answers one of the transfers that are under way.
  mutating func answer(_ index: Int = 0, _ answer: (Range<Int>) -> Result<Int, SystemError>) {
    let (part, range, offset) = pending.remove(at: index)
    progress.answered(part: part, answer(offset..<offset + range.count), &actions)
    take()
  }

  mutating func returned(_ bytes: Int) {
    progress.returned(bytes: bytes, &actions)
    take()
  }

  /// Answers everything as a file of this size would, in order, handlers returning at once.
  mutating func run(size: Int) {
    while !pending.isEmpty {
      let before = delivered
      answer { .success(max(0, min($0.count, size - $0.lowerBound))) }
      returned(delivered - before)
    }
  }
}

private let mebi = 1 << 20

@Suite("Progress of reads (S18 to S22)")
struct ReadProgressTests {
  @Test("A file is delivered in chunks of the high-water mark")
  func chunksOfAFile() {
    var model = ReadModel(length: .max)
    model.run(size: 5 * mebi / 2)
    #expect(
      model.trace == [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: false, bytes: mebi / 2), .delivery(done: true, bytes: 0),
      ]
    )
    #expect(model.progress.isFinished)
  }

  @Test("The last bytes complete the read")
  func satisfiedLengthComesWithTheLastBytes() {
    var model = ReadModel(length: 5 * mebi / 2)
    model.run(size: 9 * mebi)
    #expect(
      model.trace == [
        .delivery(done: false, bytes: mebi), .delivery(done: false, bytes: mebi),
        .delivery(done: true, bytes: mebi / 2),
      ]
    )
  }

  @Test("A read of no bytes ends at once")
  func nothingToReadEndsAtOnce() {
    let model = ReadModel(length: 0)
    #expect(model.trace == [.delivery(done: true, bytes: 0)])
    #expect(model.progress.isFinished)
  }

  @Test("A low-water mark above the high-water mark delivers in its steps")
  func lowWaterAboveHighWaterSteps() {
    var limits = DeliveryLimits()
    limits.setLowWater(3 * mebi / 2)
    limits.setHighWater(5 * mebi / 2)
    var model = ReadModel(length: .max, limits)
    model.run(size: 5 * mebi)
    #expect(
      model.trace == [
        .delivery(done: false, bytes: 2 * mebi), .delivery(done: false, bytes: 2 * mebi),
        .delivery(done: false, bytes: mebi), .delivery(done: true, bytes: 0),
      ]
    )
  }

  @Test("The bytes of a short transfer count at once (S46)")
  func shortTransfersDeliverInsideOfAStep() {
    var limits = DeliveryLimits()
    limits.setLowWater(3 * mebi / 2)
    limits.setHighWater(5 * mebi / 2)
    var model = ReadModel(length: .max, window: ReadWindow(parts: 1, bytes: 4 * mebi), limits)
    model.answer { .success($0.count) }
    model.answer { _ in .success(mebi * 3 / 4) }
    #expect(model.trace == [.delivery(done: false, bytes: mebi * 7 / 4)])
  }

  @Test("A small file is read by one transfer at a time")
  func aSmallFileIsAskedForWithOneTransferAtATime() {
    let model = ReadModel(length: .max, hint: 4096)
    #expect(model.pending.count == 1)
  }

  @Test(
    "Up to 4 MiB of a file are read at a time, in up to 8 parts",
    arguments: [64, 512, 1024]
  )
  func partsAhead(kibibytes: Int) {
    var limits = DeliveryLimits()
    limits.setHighWater(kibibytes << 10)
    #expect(ReadModel(length: .max, limits).pending.count == min(8, 4096 / kibibytes))
  }

  @Test("The window counts deliveries whose handlers have not returned")
  func theWindowHoldsBackWhatHandlersHaveNotReturned() {
    var model = ReadModel(length: .max, window: ReadWindow(parts: 4, bytes: 4 * mebi))
    #expect(model.pending.count == 4)
    for _ in 0..<4 { model.answer { .success($0.count) } }
    #expect(model.pending.isEmpty, "four deliveries fill the window")
    model.returned(mebi)
    #expect(model.pending.count == 1)
  }

  @Test("A read that has delivered nothing is not delayed")
  func aReadThatDeliversNothingYetIsNotHeldBack() {
    var limits = DeliveryLimits()
    limits.setLowWater(.max)
    var model = ReadModel(length: .max, window: ReadWindow(parts: 4, bytes: 4 * mebi), limits)
    model.run(size: 64 * mebi)
    #expect(
      model.trace == [.delivery(done: false, bytes: 64 * mebi), .delivery(done: true, bytes: 0)]
    )
  }

  @Test("Bytes before an error come first")
  func bytesBeforeAnErrorComeFirst() {
    var model = ReadModel(length: .max, window: .inOrder)
    model.answer { _ in .success(100) }
    model.answer { _ in .failure(.ioError) }
    #expect(
      model.trace == [
        .delivery(done: false, bytes: 100), .delivery(done: true, bytes: 0, error: .ioError),
      ]
    )
    #expect(model.progress.isFinished)
  }

  @Test("A stop waits for the kernel and keeps its bytes")
  func stopWaitsForTheKernelAndKeepsWhatItGives() {
    var model = ReadModel(length: .max, window: .inOrder)
    model.progress.stop(.canceled, &model.actions)
    model.take()
    #expect(model.trace.isEmpty)
    model.answer { _ in .success(7) }
    #expect(
      model.trace == [
        .delivery(done: false, bytes: 7), .delivery(done: true, bytes: 0, error: .canceled),
      ]
    )
    #expect(model.progress.isFinished)
  }

  @Test("A short transfer does not push the next delivery over the mark")
  func aShortAnswerDoesNotPushTheNextDeliveryOverTheMark() {
    var limits = DeliveryLimits()
    limits.setLowWater(75)
    limits.setHighWater(100)
    var model = ReadModel(length: .max, window: .inOrder, limits)
    for count in [80, 20, 80] { model.answer { .success(min(count, $0.count)) } }
    #expect(model.trace == [.delivery(done: false, bytes: 80), .delivery(done: false, bytes: 100)])
  }

  @Test("Any order of completions delivers the file in order")
  func anyOrderOfAnswersGivesTheFileInOrder() {
    for seed in 0..<Tier.count(quick: 2_000, full: 50_000) { checkAnyOrder(seed: UInt64(seed)) }
  }

  private func checkAnyOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var limits = DeliveryLimits()
    if random.chance(percent: 50) { limits.setLowWater(random.number(in: 0..<3 * mebi)) }
    if random.chance(percent: 50) { limits.setHighWater(random.number(in: mebi / 4..<3 * mebi)) }
    let size = random.number(in: 0..<12 * mebi)
    let length = random.chance(percent: 50) ? Int.max : random.number(in: 0..<16 * mebi)
    let window = ReadWindow(parts: random.number(in: 1..<9), bytes: random.number(in: 1..<8) * mebi)
    var model = ReadModel(length: length, window: window, limits)
    var unreturned: [Int] = []
    var steps = 0
    while !model.progress.isFinished, steps < 10_000 {
      steps += 1
      if model.pending.isEmpty || (!unreturned.isEmpty && random.chance(percent: 30)) {
        guard !unreturned.isEmpty else { break }
        model.returned(unreturned.removeFirst())
        continue
      }
      let before = model.delivered
      let index = random.number(in: 0..<model.pending.count)
      let isShort = random.chance(percent: 20)
      let cut = isShort ? random.number(in: 1..<mebi) : mebi
      model.answer(index) { .success(max(0, min($0.count, size - $0.lowerBound, cut))) }
      if model.delivered > before { unreturned.append(model.delivered - before) }
    }
    let high = limits.highWater
    #expect(model.largest <= high, "seed \(seed) delivers more than the high mark")
    let expected = min(size, length)
    #expect(model.progress.isFinished, "seed \(seed) stalls")
    #expect(model.delivered == expected, "seed \(seed)")
    #expect(model.trace.last?.isDone == true, "seed \(seed)")
    #expect(model.trace.count(where: \.isDone) == 1, "seed \(seed)")
  }
}
