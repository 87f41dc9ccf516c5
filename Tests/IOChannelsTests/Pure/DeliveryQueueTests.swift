import Testing

@testable import IOChannels

@Suite("Deliveries of an operation (S27)")
struct DeliveryQueueTests {
  private struct Run: Equatable {
    var batch: [Int] = []
    /// Whether another work item has to be submitted.
    var isMissed = false
  }

  private var queue = DeliveryQueue<Int>()

  /// Adds a delivery; returns whether a work item is needed.
  private mutating func add(_ number: Int) -> Bool {
    queue.append(number)
    return queue.publish()
  }

  /// Runs a batch, in which a closure is called first.
  private mutating func run(during: (inout Self) -> Void = { _ in }) -> Run {
    guard let count = queue.beginBatch() else { return Run() }
    during(&self)
    var run = Run()
    for _ in 0..<count {
      if let delivery = queue.next() { run.batch.append(delivery) }
    }
    run.isMissed = queue.endBatch()
    return run
  }

  @Test("A batch has the deliveries before it, and a later one needs another work item")
  mutating func batches() {
    var needed = [add(1), add(2)]
    let first = run { tests in needed.append(tests.add(3)) }
    #expect(needed == [true, false, true])
    #expect(first == Run(batch: [1, 2], isMissed: false))
    let second = run()
    #expect(second == Run(batch: [3], isMissed: false))
    #expect(queue.isEmpty)
  }

  @Test("A work item that runs during a batch is repeated after it")
  mutating func missed() {
    var needed = [add(1)]
    let first = run { tests in
      needed.append(tests.add(2))
      let inner = tests.run()
      #expect(inner == Run(batch: [], isMissed: false))
    }
    #expect(needed == [true, true])
    #expect(first == Run(batch: [1], isMissed: true))
    let second = run()
    #expect(second == Run(batch: [2], isMissed: false))
  }

  @Test("No delivery is visible during a hold, and all are after the last one")
  mutating func holds() {
    var needed = [add(1)]
    queue.hold()
    queue.hold()
    needed.append(add(2))
    let first = run()
    #expect(first == Run(batch: [1], isMissed: false))
    queue.endHold()
    needed.append(queue.publish())
    #expect(!queue.isSubmitted)
    queue.endHold()
    needed.append(queue.publish())
    #expect(needed == [true, false, false, true])
    #expect(queue.isSubmitted)
    let second = run()
    #expect(second == Run(batch: [2], isMissed: false))
  }
}
