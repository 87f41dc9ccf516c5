import IOChannelsMeasure
import Foundation
import Testing

/// What stands beside a time.
@Suite("Timings") struct TimingTests {
  @Test("The kernel's account of a process gives seconds of user and system time, and sleeps")
  func account() {
    var account = rusage()
    account.ru_utime = timeval(tv_sec: 2, tv_usec: 250_000)
    account.ru_stime = timeval(tv_sec: 1, tv_usec: 500_000)
    account.ru_nvcsw = 7
    account.ru_nivcsw = 100
    let use = ProcessorUse(seconds: 3.75, sleeps: 7)
    #expect(ProcessorUse(account) == use)
  }

  @Test("Work that keeps a processor busy uses as much time of it")
  func busyWork() {
    let (_, timing) = Timing.of {
      // In microseconds, of all threads.
      let end = clock() + 50_000
      while clock() < end {}
    }
    #expect(timing.duration > .zero)
    // Other tests of the process use some, too.
    #expect(timing.use.seconds >= 0.04)
  }

  @Test("Timings add up, and have a mean")
  func sums() {
    func use(_ seconds: Double, _ sleeps: Double) -> ProcessorUse {
      ProcessorUse(seconds: seconds, sleeps: sleeps)
    }
    let one = Timing(duration: .seconds(1), use: use(0.5, 2))
    let other = Timing(duration: .seconds(3), use: use(1, 4))
    #expect(one + other == Timing(duration: .seconds(4), use: use(1.5, 6)))
    let mean = Timing(duration: .seconds(2), use: use(0.75, 3))
    #expect(Timing.mean([one, other]) == mean)
  }
}
