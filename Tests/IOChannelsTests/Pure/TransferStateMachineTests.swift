import DataRegions
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannels

private let mebi = 1 << 20

@Suite("State machine of transfers (S18 to S22)")
struct TransferStateMachineTests {
  @Test("A file is delivered in chunks of the high-water mark")
  func chunksOfAFile() {
    var model = TransferModel(length: .max)
    model.run(size: 5 * mebi / 2)
    #expect(model.trace == [.data(mebi), .data(mebi), .data(mebi / 2), .done(0)])
    #expect(model.endCount == 1)
    #expect(model.held == 0)
  }

  @Test("The last bytes complete the read")
  func satisfiedLengthComesWithTheLastBytes() {
    var model = TransferModel(length: 5 * mebi / 2)
    model.run(size: 9 * mebi)
    #expect(model.trace == [.data(mebi), .data(mebi), .done(mebi / 2)])
  }

  @Test("A read of no bytes ends at once")
  func nothingToReadEndsAtOnce() {
    let model = TransferModel(length: 0)
    #expect(model.trace == [.done(0)])
    #expect(model.endCount == 1)
  }

  @Test("A low-water mark above the high-water mark delivers in its steps")
  func lowWaterAboveHighWaterSteps() {
    var limits = DeliveryLimits()
    limits.setLowWater(3 * mebi / 2)
    limits.setHighWater(5 * mebi / 2)
    var model = TransferModel(length: .max, limits)
    model.run(size: 5 * mebi)
    #expect(model.trace == [.data(2 * mebi), .data(2 * mebi), .data(mebi), .done(0)])
    #expect(model.held == 0)
  }

  @Test("The bytes of a short transfer count at once (S46)")
  func shortTransfersDeliverInsideOfAStep() {
    var limits = DeliveryLimits()
    limits.setLowWater(3 * mebi / 2)
    limits.setHighWater(5 * mebi / 2)
    var model = TransferModel(length: .max, window: ReadWindow(parts: 1, bytes: 4 * mebi), limits)
    model.answer { .success($0.count) }
    model.answer { _ in .success(mebi * 3 / 4) }
    #expect(model.trace == [.data(7 * mebi / 4)])
  }

  @Test("A read has room for a message wherever the marks are (S321)")
  func roomForMessages() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 300, full: 10_000) {
      let step = [4096, 100_000, mebi][random.number(in: 0..<3)]
      var limits = DeliveryLimits(step: step)
      limits.setLowWater(random.number(in: 0..<2 * step))
      if random.chance(percent: 50) { limits.setHighWater(random.number(in: 1..<2 * step)) }
      let room = [1, 4096, 64 << 10, .max][random.number(in: 0..<4)]
      let length = random.number(in: 1..<4 * step)
      var model = TransferModel(length: length, window: .inOrder, messageRoom: room, limits)
      while let range = model.pending.first?.range {
        #expect(range.count >= min(room, step, length - range.lowerBound))
        model.answer { .success(random.number(in: 0..<$0.count) + 1) }
        model.returned(model.unreturned.count)
      }
      #expect(model.delivered == length)
      #expect(model.largest <= limits.highWater)
      #expect(model.held == 0)
    }
  }

  @Test("A small file is read by one transfer at a time")
  func aSmallFileIsAskedForWithOneTransferAtATime() {
    let model = TransferModel(length: .max, hint: 4096)
    #expect(model.pending.count == 1)
  }

  @Test(
    "Up to 4 MiB of a file are read at a time, in up to 8 parts",
    arguments: [64, 512, 1024]
  )
  func partsAhead(kibibytes: Int) {
    var limits = DeliveryLimits()
    limits.setHighWater(kibibytes << 10)
    #expect(TransferModel(length: .max, limits).pending.count == min(8, 4096 / kibibytes))
  }

  @Test("The window counts deliveries whose handlers have not returned")
  func theWindowHoldsBackWhatHandlersHaveNotReturned() {
    var model = TransferModel(length: .max, window: ReadWindow(parts: 4, bytes: 4 * mebi))
    #expect(model.pending.count == 4)
    for _ in 0..<4 { model.answer { .success($0.count) } }
    #expect(model.pending.isEmpty, "four deliveries fill the window")
    model.returned()
    #expect(model.pending.count == 1)
  }

  @Test("A read that has delivered nothing is not delayed")
  func aReadThatDeliversNothingYetIsNotHeldBack() {
    var limits = DeliveryLimits()
    limits.setLowWater(.max)
    let window = ReadWindow(parts: 4, bytes: 4 * mebi)
    var model = TransferModel(length: .max, window: window, limits)
    model.run(size: 64 * mebi)
    #expect(model.trace == [.data(64 * mebi), .done(0)])
    #expect(model.held == 0)
  }

  @Test("Bytes before an error come first")
  func bytesBeforeAnErrorComeFirst() {
    var model = TransferModel(length: .max, window: .inOrder)
    model.answer { _ in .success(100) }
    model.answer { _ in .failure(.ioError) }
    #expect(model.trace == [.data(100), .done(0, .ioError)])
    #expect(model.endCount == 1)
  }

  @Test("A stop waits for the kernel and keeps its bytes")
  func stopWaitsForTheKernelAndKeepsWhatItGives() {
    var model = TransferModel(length: .max, window: .inOrder)
    model.stop()
    #expect(model.trace.isEmpty)
    #expect(model.cancelled == [0])
    model.answer { _ in .success(7) }
    #expect(model.trace == [.data(7), .done(0, .canceled)])
    #expect(model.endCount == 1)
  }

  @Test("A short transfer does not push the next delivery over the mark")
  func aShortAnswerDoesNotPushTheNextDeliveryOverTheMark() {
    var limits = DeliveryLimits()
    limits.setLowWater(75)
    limits.setHighWater(100)
    var model = TransferModel(length: .max, window: .inOrder, limits)
    for count in [80, 20, 80] { model.answer { .success(min(count, $0.count)) } }
    #expect(model.trace == [.data(80), .data(100)])
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
    var model = TransferModel(length: length, window: window, limits)
    var steps = 0
    while model.endCount == 0, steps < 10_000 {
      steps += 1
      if model.pending.isEmpty || (!model.unreturned.isEmpty && random.chance(percent: 30)) {
        guard !model.unreturned.isEmpty else { break }
        model.returned()
        continue
      }
      let index = random.number(in: 0..<model.pending.count)
      let isShort = random.chance(percent: 20)
      let cut = isShort ? random.number(in: 1..<mebi) : mebi
      model.answer(index) { .success(max(0, min($0.count, size - $0.lowerBound, cut))) }
    }
    model.returned(model.unreturned.count)
    #expect(model.largest <= limits.highWater, "seed \(seed) delivers more than the high mark")
    #expect(model.endCount == 1, "seed \(seed) stalls")
    #expect(model.delivered == min(size, length), "seed \(seed)")
    let ends = model.trace.filter { if case .done = $0 { true } else { false } }
    #expect(ends.count == 1 && model.trace.last == ends.first, "seed \(seed)")
    #expect(model.held == 0, "seed \(seed) keeps memory")
  }
}
