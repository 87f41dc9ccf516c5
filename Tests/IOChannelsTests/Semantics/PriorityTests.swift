import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

/// Notes how urgent requests are.
private final class Priorities: RequestObserver {
  private let found = BargingLock<[WorkQueue.QoS.QoSClass]>([])
  var all: [WorkQueue.QoS.QoSClass] { found.withLock { $0 } }

  func chose(_ choice: BackendChoice) {}
  func submitted(_ request: RequestSummary, to route: Route) {
    if request.kind == .read { found.withLock { $0.append(request.priority) } }
  }
  func retried(_ request: RequestSummary, after error: SystemError) {}
  func rerouted(_ request: RequestSummary) {}
  func completed(_ request: RequestSummary, _ result: TransferResult) {}
}

@Suite("Priorities")
struct PriorityTests {
  @Test(
    "Requests have the class of the handler's queue",
    arguments: [WorkQueue.QoS.QoSClass.background, .utility, .default, .userInitiated]
  )
  func requestsHaveTheClassOfTheHandlersQueue(qos: WorkQueue.QoS.QoSClass) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write([1, 2, 3], to: "file"))
    let priorities = Priorities()
    let sizes = TransferSizes(atOnce: 0, peerAtOnce: 0)
    let engine = Engine(setting: "threads", sizes: sizes, observer: priorities)
    let trace = Trace()
    let channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: trace.queue,
      cleanupHandler: trace.cleanup()
    )
    // The queue has no class of its own, but that of its target.
    let queue = WorkQueue(label: "quiet", target: .global(qos: qos))
    channel.read(offset: 0, length: 3, queue: queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 3)])
    #expect(priorities.all == [qos])
    // A target's class goes before.
    channel.setTarget(queue: .global(qos: .userInteractive))
    channel.read(offset: 0, length: 3, queue: queue, ioHandler: trace.handler())
    #expect(await trace.entries(2).last == .delivery(done: true, bytes: 3))
    #expect(priorities.all == [qos, .userInteractive])
    channel.close()
    await trace.reach(3)
    #expect(engine.becomesIdle())
  }
}
