import DataRegions
import Dispatch
import Foundation
import Synchronization
import IOChannelsTestSupport
import Testing

/// The thread sanitizer runs this suite too.
@Suite("Appends on several threads (S49)")
struct AppendRaceTests {
  /// Copies of one value append many times over, beside somebody who reads it.
  @Test("Copies append on many threads")
  func copiesAppendOnManyThreads() async {
    for round in 0..<Tier.count(quick: 100, full: 2_000) {
      var shared = singleBytes(round % 70)
      shared.append(spanOf: [9, 9])
      let before = [UInt8](shared)
      let lengths = await withTaskGroup { group in
        for task in 0..<6 {
          group.addTask { [shared] in
            var mine = shared
            for number in 0..<300 { mine.append(contentsOf: [UInt8(task), UInt8(number & 63)]) }
            let expected = before + (0..<300).flatMap { [UInt8(task), UInt8($0 & 63)] }
            let isRight = [UInt8](mine) == expected
            #expect(isRight, "round \(round)")
            return mine.regions[shared.regions.count - 1].count
          }
          group.addTask { [shared] in
            #expect([UInt8](shared) == before)
            return 2
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(lengths.count { $0 > 2 } == 1)
      #expect([UInt8](shared) == before)
    }
  }

  /// Two threads meet before each append, so that they want the same place at the same time.
  @Test("Only one of two threads appends in place")
  func onePlaceGoesToOneOfTwoThreads() {
    let rounds = Tier.count(quick: 2_000, full: 100_000)
    let shared = (0..<rounds).map { round in
      var value = singleBytes(round % 40)
      value.append(spanOf: [7])
      return value
    }
    let meeting = Atomic(0)
    let results = Results()
    let group = DispatchGroup()
    for thread in 0..<2 {
      group.enter()
      Thread.detachNewThread {
        var mine: [DataBuffer] = []
        for round in 0..<rounds {
          var copy = shared[round]
          meeting.add(1, ordering: .relaxed)
          // Whoever yields comes back too late to race, so that is for a loaded machine only.
          var spins = 0
          while meeting.load(ordering: .relaxed) < 2 * (round + 1) {
            spins += 1
            if spins > 10_000 { sched_yield() }
          }
          copy.append(spanOf: [UInt8(thread), UInt8(round & 255)])
          mine.append(copy)
        }
        results.add(mine)
        group.leave()
      }
    }
    group.wait()
    let threads = results.all
    for round in 0..<rounds {
      let before = [UInt8](shared[round])
      let tails = threads.map { [UInt8]($0[round]).dropFirst(before.count) }
      #expect(Set(tails) == [[0, UInt8(round & 255)], [1, UInt8(round & 255)]])
      let grown = threads.count { $0[round].regions.count == shared[round].regions.count }
      #expect(grown == 1)
    }
  }
}

/// What the threads made, under a lock that the thread sanitizer knows.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var lists: [[DataBuffer]] = []

  var all: [[DataBuffer]] { lock.withLock { lists } }

  func add(_ list: [DataBuffer]) { lock.withLock { lists.append(list) } }
}
