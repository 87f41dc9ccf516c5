import DataRegions
import IOChannelsLocks
import IOChannelsSystem
import Testing

@testable import IOChannels

@Suite("Phases of a transfer")
struct TransferPhaseTests {
  private let bytes = DataBuffer([UInt8](repeating: 7, count: 10))

  private func write(lowWater: Int = 1) -> TransferModel {
    var limits = DeliveryLimits()
    limits.setLowWater(lowWater)
    return TransferModel(.write(bytes, limits))
  }

  private func start(
    _ model: inout TransferModel,
    _ place: Result<TransferPlace?, SystemError> = .success(TransferModel.place()),
    stopError: SystemError? = nil
  ) {
    model.machine.start(at: place, stopError: stopError, &model.actions)
    model.perform()
  }

  @Test("A transfer that is cancelled before its start reports it at once and ends at its start")
  func cancelledBeforeTheStart() {
    var model = write()
    model.stop()
    #expect(model.trace == [.done(10, .canceled)])
    #expect(model.endCount == 0)
    start(&model)
    #expect(model.trace.count == 1)
    #expect(model.endCount == 1)
  }

  @Test("A transfer that was stopped, or has no place, ends when it starts")
  func stoppedBeforeTheStart() {
    var stopped = write()
    start(&stopped, stopError: .canceled)
    #expect(stopped.trace == [.done(10, .canceled)])
    #expect(stopped.endCount == 1)
    var placeless = write()
    start(&placeless, .failure(.invalidArgument), stopError: .canceled)
    #expect(placeless.trace == [.done(10, .invalidArgument)])
    #expect(placeless.endCount == 1)
  }

  @Test("A write reports its rest at the low-water mark, and an error with the rest (S23)")
  func restsOfAWrite() {
    var model = write(lowWater: 3)
    start(&model)
    for count in [2, 2, 5] { model.answer { _ in .success(count) } }
    #expect(model.trace == [.data(6), .data(1)])
    #expect(model.pending.map(\.range) == [9..<10])
    model.answer { _ in .success(0) }
    #expect(model.trace.last == .done(1, .ioError))
    #expect(model.endCount == 1)
  }

  @Test("The file position is set before the last call of the handler")
  func position() {
    var model = write()
    start(&model, .success(TransferModel.place(movesPosition: true)))
    model.answer { .success($0.count) }
    #expect(model.position?.offset == 10)
    #expect(model.position?.calls == 0)
    #expect(model.trace == [.done(0)])
    #expect(model.endCount == 1)
  }

  @Test("A delivery that follows an action is not visible before the action")
  func heldDelivery() {
    var model = write(lowWater: 3)
    start(&model, .success(TransferModel.place(movesPosition: true)))
    // The work item of the first delivery has not run.
    var actions = TransferModel.Machine.Actions()
    model.machine.answered(0, .success(6), &actions)
    for action in actions {
      if case .callHandler = action { continue }
      model.actions.append(action)
    }
    model.perform()
    var late = TransferModel.Machine.Actions()
    model.machine.answered(1, .success(4), &late)
    #expect(model.machine.deliveries.beginBatch() == 1, "the position is not set yet")
  }

  @Test("One part at a time waits for memory, and none after a stop")
  func memory() {
    var model = TransferModel(.read(length: .max, DeliveryLimits(), .whole))
    model.grantsMemory = false
    start(&model)
    #expect(model.waiting.count == 1)
    model.grant()
    #expect(model.pending.count == 1)
    #expect(model.waiting.count == 1)
    model.stop()
    #expect(model.trace.isEmpty)
    model.answer { _ in .failure(.canceled) }
    #expect(model.trace == [.done(0, .canceled)])
    #expect(model.endCount == 1)
    let held = model.held
    model.grant()
    #expect(model.held - held == 1 << 20, "the storage releases memory that no part needs")
    #expect(held == 0)
  }

  @Test("A request that a stop makes useless is not submitted")
  func uselessRequest() {
    var model = write()
    model.machine.start(at: .success(TransferModel.place()), stopError: nil, &model.actions)
    let actions = model.actions
    model.actions.removeAll()
    model.stop()
    #expect(model.trace == [.done(10, .canceled)])
    #expect(model.endCount == 1)
    model.actions = actions
    model.perform()
    #expect(model.pending.isEmpty)
    #expect(model.held == 0)
  }

  @Test("A read until nothing is available ends when a probe finds nothing")
  func probe() {
    var model = TransferModel(.read(length: .max, DeliveryLimits(), .untilEmpty))
    model.machine.begin(at: TransferModel.place(), .inOrder, &model.actions)
    model.perform()
    model.answer { _ in .success(5) }
    #expect(model.trace == [.probe])
    model.machine.probed(hasMore: true, &model.actions)
    model.perform()
    model.answer { _ in .success(5) }
    model.stop()
    #expect(model.trace == [.probe, .probe], "the descriptor is in use during a probe")
    model.machine.probed(hasMore: false, &model.actions)
    model.perform()
    #expect(model.trace.suffix(2) == [.data(10), .done(0, .canceled)])
    #expect(model.endCount == 1)
  }
}
