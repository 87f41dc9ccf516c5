import Foundation
import Synchronization
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

/// The tests are about order and "not before", never about speed.
@Suite("Timers on the clocks of the kernel")
struct KernelTimerTests {
  private static func service() -> TimerService {
    TimerService(alarm: KernelAlarm(), startThread: PlatformThread.start(name:body:))
  }

  @Test("A timer fires on each clock and not before its time")
  func firesOnEachClockAndNotBefore() {
    // S92
    let service = Self.service()
    let group = WorkGroup()
    let early = Atomic<Int>(0)
    for milliseconds in [3, 1, 0, -5, 2] {
      let uptime = Deadline.now() + .milliseconds(milliseconds)
      let boot = Deadline.now(.bootTime) + .milliseconds(milliseconds)
      let wall = WallDeadline.now() + .milliseconds(milliseconds)
      for _ in 0..<3 { group.enter() }
      _ = service.arm(at: uptime, leeway: .zero) { _ in
        if Deadline.now() < uptime { early.add(1, ordering: .relaxed) }
        group.leave()
      }
      _ = service.arm(at: boot) { _ in
        if Deadline.now(.bootTime) < boot { early.add(1, ordering: .relaxed) }
        group.leave()
      }
      _ = service.arm(atWall: wall) { _ in group.leave() }
    }
    group.wait()
    #expect(early.load(ordering: .relaxed) == 0)
    #expect(service.count == 0)
    #expect(service.counts.fires == 15)
  }

  @Test("A lone timer does not use its leeway")
  func aLoneTimerDoesNotUseItsLeeway() {
    // S93
    let service = Self.service()
    // Armed on the way to sleep, and while the thread sleeps.
    for _ in 0..<20 {
      let fired = CountingSemaphore(value: 0)
      let deadline = Deadline.now() + .milliseconds(1)
      _ = service.arm(at: deadline, leeway: .seconds(3600)) { _ in fired.signal() }
      #expect(fired.wait(timeout: .now() + .seconds(60)) == .success)
      #expect(Deadline.now() >= deadline)
    }
  }

  @Test("An earlier timer does not wait for a later one")
  func anEarlierTimerDoesNotWaitForALaterOne() {
    let service = Self.service()
    let far = [
      service.arm(at: Deadline.now() + .seconds(1000)) { _ in },
      service.arm(at: Deadline.now(.bootTime) + .seconds(1000)) { _ in },
      service.arm(atWall: .now() + .seconds(1000)) { _ in },
    ]
    // Each round finds the thread asleep, or on its way there.
    for _ in 0..<50 {
      let group = WorkGroup()
      group.enter()
      _ = service.arm(at: .now() + .microseconds(200), leeway: .zero) { _ in group.leave() }
      group.wait()
    }
    // No wake but those of the timers that fired.
    #expect(service.counts.wakes <= 50)
    let quiet = far.count { service.cancel($0) }
    #expect(quiet == 3)
  }

  @Test("A timer repeats until it is cancelled")
  func repeatsUntilCancelled() {
    // S95
    let service = Self.service()
    let group = WorkGroup()
    let start = Deadline.now()
    let times = Atomic<Int>(0)
    let left = Atomic<Int>(5)
    group.enter()
    let token = service.arm(at: start, leeway: .zero, repeating: .milliseconds(1)) { fires in
      times.add(fires, ordering: .relaxed)
      if left.subtract(1, ordering: .relaxed).newValue == 0 { group.leave() }
    }
    group.wait()
    service.cancel(token)
    let passed = start.distance(to: .now())
    let counted = times.load(ordering: .relaxed)
    #expect(counted >= 5)
    #expect(.milliseconds(counted - 1) <= passed)
  }

  @Test("The thread of timers has a name")
  func theThreadHasAName() {
    let name = BargingLock("")
    let group = WorkGroup()
    group.enter()
    _ = TimerService.shared.arm(at: .now()) { _ in
      name.withLock { $0 = currentThreadName }
      group.leave()
    }
    group.wait()
    #expect(name.withLock { $0 } == "timer")
  }

  @Test("A timer fires without descriptors")
  func firesWithoutDescriptors() async {
    // F6
    await #expect(processExitsWith: .success) {
      let former = try limitDescriptors(to: 0)
      let service = TimerService.shared
      let group = WorkGroup()
      func fire(_ count: Int) {
        for number in 0..<count {
          group.enter()
          _ = service.arm(at: .now() + .milliseconds(number), leeway: .zero) { _ in group.leave() }
        }
        group.wait()
      }
      fire(10)
      _ = try limitDescriptors(to: former)
      fire(10)
    }
  }

  @Test("Many threads arm, move and cancel timers")
  func manyThreadsArmMoveAndCancel() throws {
    // S97
    let service = Self.service()
    let perThread = Tier.count(quick: 20_000, full: 1_000_000)
    let seed = SeededGenerator().seed
    let fired = Atomic<Int>(0)
    let cancelled = Atomic<Int>(0)
    let threads = WorkGroup()
    for number in 0..<3 {
      threads.enter()
      try PlatformThread.start(name: "arms") {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        var tokens: [TimerToken] = []
        for _ in 0..<perThread {
          let deadline = Deadline.now() + .microseconds(random.number(in: -10..<2000))
          let leeway = Duration.microseconds(random.number(in: 0..<100))
          let token = service.arm(at: deadline, leeway: leeway) { _ in
            fired.add(1, ordering: .relaxed)
          }
          tokens.append(token)
          if tokens.count < 50 { continue }
          let other = tokens.remove(at: random.number(in: 0..<50))
          if random.chance(percent: 30) {
            _ = service.rearm(other, at: deadline + .microseconds(500))
          } else if service.cancel(other) {
            cancelled.add(1, ordering: .relaxed)
          }
        }
        threads.leave()
      }
    }
    threads.wait()
    let last = WorkGroup()
    last.enter()
    // Nothing else is armed for so late a time.
    _ = service.arm(at: .now() + .milliseconds(20), leeway: .zero) { _ in last.leave() }
    last.wait()
    let answered = fired.load(ordering: .relaxed) + cancelled.load(ordering: .relaxed)
    #expect(answered == 3 * perThread)
    #expect(service.count == 0)
  }
}
