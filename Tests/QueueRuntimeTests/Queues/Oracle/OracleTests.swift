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
  /// The place of a step in a script.
  struct Place: Equatable, Sendable, CustomStringConvertible {
    let phase: Int
    let step: Int

    var description: String { "\(phase).\(step)" }
  }

  /// Something that a queue did.
  enum Event: Equatable, Sendable {
    case item(Place, on: Int)
    case itemInGroup(Place, on: Int)
    case relayedItem(Place)
    case notification(Place)
    case sync(phase: Int, on: Int)
    case endOfPhase(Int)
  }

  /// Carries the script out and gives what the serial queues did, and each of the concurrent ones.
  func events<Queue: ScriptedQueue>(on: Queue.Type) -> [[Event]] {
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
    let serial = Log<Event>()
    let logs = made.map { $0.isConcurrent ? Log<Event>() : serial }
    // What the running work submits has no order among different queues, in Dispatch.
    let notified = made.map { _ in Log<Event>() }
    let relayed = made.map { _ in made.map { _ in Log<Event>() } }
    let group = Queue.makeGroup()
    for (number, phase) in phases.enumerated() {
      root.stop()
      for (index, step) in phase.steps.enumerated() {
        let place = Place(phase: number, step: index)
        carryOut(step, place, on: queues, group, (logs, notified, relayed))
      }
      root.goOn()
      // What an item submits may submit once more.
      for _ in 0..<6 { root.runSync(isBarrier: false) {} }
      for (queue, isBarrier) in phase.syncs {
        queues[queue].runSync(isBarrier: isBarrier) {
          logs[queue].note(.sync(phase: number, on: queue))
        }
      }
      serial.note(.endOfPhase(number))
    }
    let concurrent = zip(made, logs).filter(\.0.isConcurrent).map(\.1)
    return ([serial] + concurrent + notified + relayed.joined()).map(\.events)
  }

  private func carryOut<Queue: ScriptedQueue>(
    _ step: Step,
    _ place: Place,
    on queues: [Queue],
    _ group: Queue.Group,
    _ logs: (own: [Log<Event>], notified: [Log<Event>], relayed: [[Log<Event>]])
  ) {
    switch step {
    case .async(let queue, let isBarrier):
      queues[queue].submit(isBarrier: isBarrier) { logs.own[queue].note(.item(place, on: queue)) }
    case .relay(let queue, let other):
      queues[queue].submit(isBarrier: false) {
        logs.own[queue].note(.item(place, on: queue))
        queues[other].submit(isBarrier: false) {
          logs.relayed[queue][other].note(.relayedItem(place))
        }
      }
    case .inGroup(let queue):
      queues[queue].submit(in: group) { logs.own[queue].note(.itemInGroup(place, on: queue)) }
    case .notify(let queue):
      queues[queue].submit(after: group) { logs.notified[queue].note(.notification(place)) }
    case .suspend(let queue): queues[queue].stop()
    case .resume(let queue): queues[queue].goOn()
    case .activate(let queue, let retargetsToRoot):
      if retargetsToRoot { queues[queue].move(to: queues[0]) }
      queues[queue].start()
    }
  }
}
