import Synchronization
import IOChannelsLocks
import IOChannelsSystem
import Testing

@testable import QueueRuntime

@Suite("Timers without a thread or an alarm")
struct TimerServiceFaultTests {
  @Test("Without a thread, timers wait for the next call")
  func withoutAThreadTimersWaitForTheNextCall() {
    // F22
    let alarm = VirtualAlarm()
    let failures = Atomic<Int>(2)
    let service = TimerService(alarm: alarm) { name, body throws(SystemError) in
      #expect(name == "timer")
      if failures.load(ordering: .relaxed) > 0 {
        failures.subtract(1, ordering: .relaxed)
        throw .resourceTemporarilyUnavailable
      }
      try PlatformThread.start(name: name, body: body)
    }
    let fired = BargingLock<[Int]>([])
    let deadline = Deadline(uptimeNanoseconds: 100)
    func arm(_ number: Int) -> TimerToken {
      service.arm(at: deadline + .nanoseconds(number), leeway: .zero) { _ in
        fired.withLock { $0.append(number) }
      }
    }
    _ = arm(1)
    let token = arm(2)
    #expect(failures.load(ordering: .relaxed) == 0)
    let isQuiet = service.cancel(token)
    #expect(isQuiet)
    alarm.settle()
    alarm.set(now: 500)
    #expect(fired.withLock { $0 } == [1])
    #expect(service.count == 0)
    alarm.endSleep()
  }

  @Test("Without alarms the thread checks by itself")
  func withoutAlarmsTheThreadLooksByItself() {
    let bench = TimerBench()
    bench.alarm.refuse(3)
    bench.arm("a", at: 100)
    bench.alarm.settle()
    bench.alarm.set(now: 150)
    #expect(bench.news() == [])
    bench.alarm.endSleep()
    bench.alarm.settle()
    #expect(bench.news() == [.fired("a")])
    bench.arm("b", at: 200)
    bench.alarm.settle()
    #expect(bench.alarm.history.isEmpty)
    bench.alarm.endSleep()
    bench.alarm.settle()
    #expect(bench.alarm.history.last?.nanoseconds == 200)
    bench.alarm.set(now: 200)
    #expect(bench.news() == [.fired("b")])
    bench.end()
  }

  @Test("The thread ends without timers and starts again")
  func theThreadEndsWithoutTimersAndStartsAgain() {
    let alarm = VirtualAlarm()
    let threads = Atomic<Int>(0)
    let ended = WorkGroup()
    let service = TimerService(alarm: alarm) { name, body throws(SystemError) in
      threads.add(1, ordering: .relaxed)
      ended.enter()
      try PlatformThread.start(name: name) {
        body()
        ended.leave()
      }
    }
    for round in 1...3 {
      let deadline = Deadline(uptimeNanoseconds: UInt64(round) * 100)
      _ = service.arm(at: deadline, leeway: .zero) { _ in }
      alarm.settle()
      alarm.endSleep()
      alarm.settle()
      #expect(service.count == 1)
      alarm.set(now: Int64(round) * 100)
      #expect(service.count == 0)
      alarm.endSleep()
      ended.wait()
      #expect(threads.load(ordering: .relaxed) == round)
    }
  }
}
