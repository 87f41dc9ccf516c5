import Testing

@testable import QueueRuntime

@Suite("Concurrent word")
struct ConcurrentWordTests {
  private struct Model: Hashable {
    var inside: UInt64 = 0
    var barriers: UInt64 = 0
    var waits = false
    var exclusive = false
  }

  /// Visits all words reachable with at most three inside and two barriers, and compares each
  /// with a plain model.
  @Test("Random calls follow a plain model")
  func followsAPlainModel() {
    var open = [(ConcurrentWord(), Model())]
    var known = Set([Model()])
    while let (word, model) = open.popLast() {
      check(word, model)
      for (next, expected) in successors(word, model)
      where known.insert(expected).inserted {
        open.append((next, expected))
      }
    }
    #expect(known.count == 20)
  }

  private func check(_ word: ConcurrentWord, _ model: Model) {
    #expect(word.inside == model.inside)
    #expect(word.barriers == model.barriers)
    #expect(word.barrierWaits == model.waits)
    #expect(word.isExclusive == model.exclusive)
    #expect(!(model.exclusive && model.inside > 0), "A barrier is alone.")
    #expect(!(model.waits && model.inside == 0), "A barrier waits only for somebody.")
    #expect((word.passed == nil) == (model.barriers > 0))
  }

  private func successors(
    _ word: ConcurrentWord,
    _ model: Model
  ) -> [(ConcurrentWord, Model)] {
    var found: [(ConcurrentWord, Model)] = []
    var next = model
    if model.barriers < 2 {
      next.barriers += 1
      found.append((word.announced, next))
    }
    if model.inside < 3 && !model.exclusive {
      next = model
      next.inside += 1
      found.append((word.entered, next))
    }
    if model.inside > 0 {
      next = model
      next.inside -= 1
      let makesExclusive = next.inside == 0 && next.waits
      if makesExclusive { (next.waits, next.exclusive) = (false, true) }
      #expect(word.left.makesExclusive == makesExclusive)
      found.append((word.left.next, next))
    }
    if model.barriers > 0 && !model.waits && !model.exclusive {
      next = model
      if model.inside == 0 { next.exclusive = true } else { next.waits = true }
      found.append((word.barrierDue, next))
    }
    if model.exclusive {
      next = model
      (next.exclusive, next.barriers) = (false, model.barriers - 1)
      found.append((word.barrierEnded, next))
    }
    return found
  }
}
