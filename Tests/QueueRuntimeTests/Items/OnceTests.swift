import QueueRuntime
import Synchronization
import IOChannelsTestSupport
import Testing

@Suite("Closures that run once (S88)")
struct OnceTests {
  @Test("Only the first closure runs")
  func runsTheFirstClosureOnly() {
    let once = Once()
    var seen: [Int] = []
    for number in 0..<3 { once.perform { seen.append(number) } }
    #expect(seen == [0])
  }

  @Test("All calls return after the run")
  func everybodyReturnsAfterTheRun() {
    for _ in 0..<Tier.count(quick: 200, full: 20_000) {
      let once = Once()
      let value = Mutex(0)
      WorkQueue.concurrentPerform(iterations: 4) { _ in
        once.perform { value.withLock { $0 += 1 } }
        #expect(value.withLock { $0 } == 1)
      }
    }
  }

  @Test("Parked threads are woken")
  func parkedThreadsAreWoken() {
    let once = Once()
    let begun = CountingSemaphore(value: 0)
    let end = CountingSemaphore(value: 0)
    let group = WorkGroup()
    let queue = WorkQueue(label: "racers", attributes: .concurrent)
    queue.async(group: group) {
      once.perform {
        begun.signal()
        end.wait()
      }
    }
    begun.wait()
    let others = WorkGroup()
    for _ in 0..<8 { queue.async(group: others) { once.perform {} } }
    // Nobody returns while the closure runs, however long this looks.
    #expect(others.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
    queue.async(group: group) { end.signal() }
    group.wait()
    others.wait()
  }

  @Test("A recursive call stops the program")
  func callingItselfEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let once = Once()
      once.perform { once.perform {} }
    }
    expectMessage("What runs once would wait for itself.", from: result)
  }
}
