import IOChannelsTestSupport
import Testing

@Suite("The same scripts here and in Dispatch (S70, S71, S75, S76)")
struct OracleTests {
  @Test("Scripts have the same events here and in Dispatch")
  func scriptsGiveTheSameEvents() {
    var generator = SeededGenerator()
    for number in 0..<Tier.count(quick: 2000, full: 100_000) {
      let script = OracleScript(&generator)
      let ours = script.events(on: OurQueue.self)
      var theirs = script.events(on: DispatchedQueue.self)
      // Once in thousands of scripts Dispatch runs two queues of one target the other way around.
      for _ in 0..<10 where ours != theirs { theirs = script.events(on: DispatchedQueue.self) }
      #expect(ours == theirs, "script \(number): \(script)")
      #expect(ours.joined().count >= script.phases.count)
      if ours != theirs { return }
    }
  }
}

extension OracleScript {
  /// Carries the script out and gives what the serial queues did, and each of the concurrent ones.
  func events<Queue: ScriptedQueue>(on: Queue.Type) -> [[String]] {
    let root = Queue.make(isConcurrent: false, isInactive: false, target: nil)
    var queues = [root]
    for node in made.dropFirst() {
      queues.append(
        Queue.make(
          isConcurrent: node.isConcurrent,
          isInactive: node.isInactive,
          target: queues[node.target]
        )
      )
    }
    let serial = EventLog()
    let logs = made.map { $0.isConcurrent ? EventLog() : serial }
    // What the running work submits has no order among different queues, in Dispatch.
    let notified = made.map { _ in EventLog() }
    let relayed = made.map { _ in made.map { _ in EventLog() } }
    let group = Queue.makeGroup()
    for (number, phase) in phases.enumerated() {
      root.stop()
      for (place, step) in phase.steps.enumerated() {
        carryOut(step, "\(number).\(place)", on: queues, group, (logs, notified, relayed))
      }
      root.goOn()
      // What an item submits may submit once more.
      for _ in 0..<6 { root.runSync(isBarrier: false) {} }
      for (queue, isBarrier) in phase.syncs {
        queues[queue].runSync(isBarrier: isBarrier) { logs[queue].note("\(number) sync \(queue)") }
      }
      serial.note("phase \(number)")
    }
    let concurrent = zip(made, logs).filter(\.0.isConcurrent).map(\.1)
    return ([serial] + concurrent + notified + relayed.joined()).map(\.events)
  }

  private func carryOut<Queue: ScriptedQueue>(
    _ step: Step,
    _ name: String,
    on queues: [Queue],
    _ group: Queue.Group,
    _ logs: (own: [EventLog], notified: [EventLog], relayed: [[EventLog]])
  ) {
    switch step {
    case .async(let queue, let isBarrier):
      queues[queue].submit(isBarrier: isBarrier) { logs.own[queue].note("\(name) on \(queue)") }
    case .relay(let queue, let other):
      queues[queue].submit(isBarrier: false) {
        logs.own[queue].note("\(name) on \(queue)")
        queues[other].submit(isBarrier: false) { logs.relayed[queue][other].note(name) }
      }
    case .inGroup(let queue):
      queues[queue].submit(in: group) { logs.own[queue].note("\(name) in group \(queue)") }
    case .notify(let queue):
      queues[queue].submit(after: group) { logs.notified[queue].note(name) }
    case .suspend(let queue): queues[queue].stop()
    case .resume(let queue): queues[queue].goOn()
    case .activate(let queue, let retargetsToRoot):
      if retargetsToRoot { queues[queue].move(to: queues[0]) }
      queues[queue].start()
    }
  }
}
