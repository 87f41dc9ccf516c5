import QueueRuntime
import Testing

@Suite("Parts for programs that come from Dispatch (S221)")
struct CompatibilityTests {
  /// A class without protection against concurrent use.
  private final class Tally {
    var count = 0
  }

  @Test("The type of a queue-specific value need not be Sendable")
  func specificValue() throws {
    let key = QueueKey<Tally>()
    let queue = WorkQueue(label: "tally")
    queue.setSpecific(key: key, value: Tally())
    for _ in 0..<3 { queue.sync { WorkQueue.getSpecific(key: key)?.count += 1 } }
    #expect(queue.getSpecific(key: key)?.count == 3)
    queue.setSpecific(key: key, value: nil)
    #expect(queue.getSpecific(key: key) == nil)
  }

  @Test("Every autorelease frequency gives the same queue")
  func autoreleaseFrequency() {
    let target = WorkQueue(label: "target")
    let frequencies: [WorkQueue.AutoreleaseFrequency] = [.inherit, .workItem, .never]
    for frequency in frequencies {
      let queue = WorkQueue(
        label: "queue",
        qos: .utility,
        attributes: .concurrent,
        autoreleaseFrequency: frequency,
        target: target
      )
      #expect(queue.label == "queue" && queue.qos == .utility)
      #expect(queue.sync { WorkQueue.currentLabel } == "queue")
    }
  }

  @Test("A queue is stopped and retargeted through its protocol")
  func suspendableObject() {
    let log = EventLog()
    let queue = WorkQueue(label: "queue", attributes: .initiallyInactive)
    let target = WorkQueue(label: "target")
    let object: any SuspendableObject = queue
    object.setTarget(queue: target)
    object.activate()
    object.suspend()
    queue.async {
      WorkQueue.precondition(.onQueue(target))
      log.note("work")
    }
    target.sync {}
    log.note("resumed")
    object.resume()
    queue.sync {}
    #expect(log.events == ["resumed", "work"])
  }
}
