import IOChannelsTestSupport

/// A script for a tree of queues under one serial root.
///
/// It has phases. In each the root is stopped while one thread submits; then the root goes on, and
/// the thread waits until nothing is left. So all that serial queues do comes in one order, and so
/// do each concurrent queue's items.
struct OracleScript {
  enum Step {
    case async(Int, isBarrier: Bool)
    /// An item that submits another one to another queue.
    case relay(Int, to: Int)
    case inGroup(Int)
    case notify(Int)
    case suspend(Int)
    case resume(Int)
    case activate(Int, retargetsToRoot: Bool)
  }

  struct Node {
    var target = 0
    var isConcurrent = false
    var isInactive = false
  }

  struct Phase {
    var steps: [Step] = []
    /// The queues for a `sync` when all is done.
    var syncs: [(queue: Int, isBarrier: Bool)] = []
  }

  /// The queues as they are made; the first is the root.
  private(set) var made: [Node] = []
  private(set) var phases: [Phase] = []
  /// The queues as the steps so far leave them.
  private var nodes = [Node()]
  /// How often each queue is stopped: once for being inactive, and for its suspensions.
  private var stops: [Int] = [0]

  init(_ generator: inout SeededGenerator) {
    for number in 1..<generator.number(in: 2..<6) {
      var node = Node()
      repeat {
        node.target = generator.number(in: 0..<number)
      } while nodes[node.target].isConcurrent
      node.isConcurrent = generator.chance(percent: 25)
      node.isInactive = generator.chance(percent: 25)
      nodes.append(node)
      stops.append(node.isInactive ? 1 : 0)
    }
    made = nodes
    for _ in 0..<generator.number(in: 1..<5) { addPhase(&generator) }
    endStops()
  }

  private mutating func addPhase(_ generator: inout SeededGenerator) {
    var phase = Phase()
    for _ in 0..<generator.number(in: 3..<16) {
      if let step = step(&generator) { phase.steps.append(step) }
    }
    for _ in 0..<generator.number(in: 0..<4) {
      let queue = generator.number(in: 0..<nodes.count)
      if isOpen(queue) { phase.syncs.append((queue, generator.chance(percent: 30))) }
    }
    phases.append(phase)
  }

  private mutating func step(_ generator: inout SeededGenerator) -> Step? {
    let queue = generator.number(in: 0..<nodes.count)
    let isSerial = !nodes[queue].isConcurrent
    switch generator.number(in: 0..<10) {
    case 0..<4: return .async(queue, isBarrier: generator.chance(percent: 30))
    case 4 where isSerial: return .relay(queue, to: generator.number(in: 0..<nodes.count))
    case 5 where isSerial: return .inGroup(queue)
    case 6 where isSerial: return .notify(queue)
    // Dispatch has a concurrent queue's items in the target before it is suspended.
    case 7 where queue > 0 && isSerial && !nodes[queue].isInactive:
      stops[queue] += 1
      return .suspend(queue)
    case 8, 9:
      guard stops[queue] > 0 else { return nil }
      stops[queue] -= 1
      guard nodes[queue].isInactive else { return .resume(queue) }
      nodes[queue].isInactive = false
      let moves = generator.chance(percent: 50)
      if moves { nodes[queue].target = 0 }
      return .activate(queue, retargetsToRoot: moves)
    default: return nil
    }
  }

  private mutating func endStops() {
    var phase = Phase()
    for queue in nodes.indices {
      while stops[queue] > 0 {
        stops[queue] -= 1
        let isInactive = nodes[queue].isInactive
        nodes[queue].isInactive = false
        phase.steps.append(
          isInactive ? .activate(queue, retargetsToRoot: false) : .resume(queue)
        )
      }
    }
    phases.append(phase)
  }

  private func isOpen(_ queue: Int) -> Bool {
    var next = queue
    while stops[next] == 0 {
      if next == 0 { return true }
      next = nodes[next].target
    }
    return false
  }
}
