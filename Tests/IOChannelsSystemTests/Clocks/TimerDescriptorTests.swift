import Foundation
import Testing

@testable import IOChannelsSystem

@Suite("Timer descriptors")
struct TimerDescriptorTests {
  @Test("A timer descriptor is readable from its time on", arguments: KernelClock.allCases)
  func isReadableFromItsTimeOn(clock: KernelClock) throws {
    let list = try ReadinessQueue()
    let timer = try TimerDescriptor(on: clock)
    try list.add(timer.borrowed, forReading: true, token: 7)
    #expect(try list.next(within: 0) == nil)
    let time = clock.nanoseconds + 2_000_000
    timer.set(time)
    #expect(try list.next().token == 7)
    #expect(clock.nanoseconds >= time)
    // It stays so until it is set anew.
    #expect(try list.next(within: 0)?.token == 7)
    timer.set(clock.nanoseconds + 1_000_000_000_000)
    #expect(try list.next(within: 0) == nil)
    for passed in [1, 0, -5, .min] as [Int64] {
      timer.set(passed)
      #expect(try list.next().token == 7)
      timer.set(nil)
      #expect(try list.next(within: 0) == nil)
    }
    timer.set(.max)
    #expect(try list.next(within: 0) == nil)
  }

  /// The kernel moves absolute points with the clock, so nobody has to set a clock to see this.
  @Test(
    "Times are absolute on the named clock",
    arguments: zip(KernelClock.allCases, ["1", "7", "0"])
  )
  func pointsAreAbsoluteOnTheClockThatWasNamed(clock: KernelClock, number: String) throws {
    let timer = try TimerDescriptor(on: clock)
    timer.set(clock.nanoseconds + 1_000_000_000_000)
    let path = "/proc/self/fdinfo/\(timer.borrowed.rawValue)"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("clockid: \(number)"))
    #expect(lines.contains("settime flags: 01"))
  }

  @Test("Clocks go forward")
  func clocksGoForward() {
    for clock in [KernelClock.uptime, .bootTime] {
      let readings = (0..<100).map { _ in clock.nanoseconds }
      #expect(readings == readings.sorted())
      #expect(readings[0] > 0)
    }
  }
}
