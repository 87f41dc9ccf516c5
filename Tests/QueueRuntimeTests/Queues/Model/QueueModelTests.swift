import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("All orders of the atomic steps of a few threads on one queue")
struct QueueModelTests {
  private static let serial: [[[ModelledCall]]] = [
    [[.async, .async], [.async, .async]],
    [[.async, .sync], [.sync]],
    [[.sync, .async], [.async, .sync]],
    [[.suspend, .async, .resume], [.async, .async]],
    [[.async, .suspend, .async, .resume]],
    [[.suspend, .async, .resume], [.sync]],
    [[.suspend, .resume, .suspend, .resume], [.async, .sync]],
  ]

  private static let concurrent: [[[ModelledCall]]] = [
    [[.async, .async, .async]],
    [[.async, .asyncBarrier, .async]],
    [[.async, .asyncBarrier], [.sync]],
    [[.asyncBarrier], [.syncBarrier]],
    [[.async], [.syncBarrier], [.sync]],
    [[.sync], [.syncBarrier], [.syncBarrier]],
    [[.async, .async, .async], [.syncBarrier]],
    [[.async, .async, .asyncBarrier, .syncBarrier], [.syncBarrier]],
    [[.async, .suspend, .async, .resume]],
    [[.suspend, .asyncBarrier, .resume], [.async]],
    [[.suspend, .resume], [.syncBarrier], [.async]],
    [[.suspend, .resume], [.sync], [.asyncBarrier]],
  ]

  @Test("Programs on serial queues keep the rules in every order", arguments: serial.indices)
  func serialPrograms(index: Int) {
    let found = QueueModel(Self.serial[index], workers: 2, isConcurrent: false).explored()
    #expect(found.fault == nil)
    #expect(found.states > 100)
    print("serial program \(index): \(found.states) states")
  }

  @Test(
    "Programs on concurrent queues keep the rules in every order",
    arguments: concurrent.indices
  ) func concurrentPrograms(index: Int) {
    let workers = Tier.count(quick: Self.concurrent[index].joined().count > 4 ? 1 : 2, full: 2)
    let found = QueueModel(Self.concurrent[index], workers: workers, isConcurrent: true).explored()
    #expect(found.fault == nil)
    #expect(found.states > 100)
    print("concurrent program \(index): \(found.states) states")
  }

  @Test("Every known defect is found", arguments: Mutant.allCases) func everyMutantIsFound(
    mutant: Mutant
  ) {
    // The small ones with two workers find all but what needs the longest.
    let small = Self.concurrent.filter { $0.joined().count <= 3 }
    let programs =
      Self.serial.map { QueueModel($0, workers: 2, isConcurrent: false, mutant: mutant) }
      + Self.concurrent.map { QueueModel($0, workers: 1, isConcurrent: true, mutant: mutant) }
      + small.map { QueueModel($0, workers: 2, isConcurrent: true, mutant: mutant) }
    #expect(programs.contains { $0.explored().fault != nil })
  }

  @Test("Random orders of larger programs keep the rules")
  func walksThroughLargerPrograms() {
    var generator = SeededGenerator()
    for _ in 0..<Tier.count(quick: 2000, full: 200_000) {
      let isConcurrent = generator.chance(percent: 60)
      let programs = (0..<generator.number(in: 2..<5)).map { _ in
        program(length: generator.number(in: 2..<8), &generator)
      }
      let model = QueueModel(programs, workers: 3, isConcurrent: isConcurrent)
      let fault = model.faultOfWalk(&generator)
      #expect(fault == nil, "\(isConcurrent ? "concurrent" : "serial"): \(programs)")
      if fault != nil { return }
    }
  }

  /// A program of one thread, which does not wait while it has the queue suspended.
  private func program(length: Int, _ generator: inout SeededGenerator) -> [ModelledCall] {
    var calls: [ModelledCall] = []
    var suspensions = 0
    while calls.count < length {
      switch generator.number(in: 0..<10) {
      case 0..<3: calls.append(.async)
      case 3..<5: calls.append(.asyncBarrier)
      case 5 where suspensions == 0: calls.append(.sync)
      case 6 where suspensions == 0: calls.append(.syncBarrier)
      case 7..<9:
        calls.append(.suspend)
        suspensions += 1
      case 9 where suspensions > 0:
        calls.append(.resume)
        suspensions -= 1
      default: break
      }
    }
    return calls + Array(repeating: .resume, count: suspensions)
  }
}
