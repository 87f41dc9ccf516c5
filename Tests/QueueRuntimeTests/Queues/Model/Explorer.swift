import IOChannelsTestSupport

/// A system of abstract threads that share words, each step of which is one atomic operation.
protocol SteppedModel: Hashable {
  var threadCount: Int { get }
  /// What went wrong so far.
  var fault: String? { get }
  /// What is wrong if no thread can go on from here.
  var faultAtEnd: String? { get }

  /// Does the next step of a thread; false if it has ended or waits.
  mutating func step(_ thread: Int) -> Bool
}

/// What an exploration found.
struct Exploration {
  var fault: String?
  var states = 0
}

extension SteppedModel {
  /// Visits every state that some order of the threads' steps leads to.
  func explored(limit: Int = 4_000_000) -> Exploration {
    var exploration = Exploration()
    var known: Set<Self> = [self]
    var open = [self]
    while let state = open.popLast() {
      exploration.states += 1
      var isEnd = true
      for thread in 0..<threadCount {
        var next = state
        guard next.step(thread) else { continue }
        isEnd = false
        if let fault = next.fault {
          exploration.fault = fault
          return exploration
        }
        if known.insert(next).inserted { open.append(next) }
      }
      if isEnd, let fault = state.faultAtEnd {
        exploration.fault = fault
        return exploration
      }
      if exploration.states > limit {
        exploration.fault = "More than \(limit) states."
        return exploration
      }
    }
    return exploration
  }

  /// Lets threads take turns at random until none can go on.
  func faultOfWalk(_ generator: inout SeededGenerator) -> String? {
    var state = self
    while true {
      let first = generator.number(in: 0..<threadCount)
      var moved = false
      for offset in 0..<threadCount where !moved {
        moved = state.step((first + offset) % threadCount)
      }
      if let fault = state.fault { return fault }
      if !moved { return state.faultAtEnd }
    }
  }
}
