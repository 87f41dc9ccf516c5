import Testing

@testable import FileCopy

/// The waits of a limited rate follow from bytes and times.
@Suite("Rule of a limited rate")
struct RateRuleTests {
  private static let second: Int64 = 1_000_000_000

  @Test("Bytes are due as soon as the limit allows, less the credit of the start (T55)")
  func due() {
    var rule = RateRule(bytesPerSecond: 1000)
    let start = 5 * Self.second
    #expect(rule.count(1000, at: start) == start + Self.second - RateRule.credit)
    // A second thread waits for the bytes of both.
    #expect(rule.count(500, at: start) == start + Self.second * 3 / 2 - RateRule.credit)
  }

  @Test("Time that was not used is lost, except for the credit (T55)")
  func lost() {
    var rule = RateRule(bytesPerSecond: 1000)
    _ = rule.count(1000, at: 0)
    let later = 60 * Self.second
    #expect(rule.count(2000, at: later) == later + 2 * Self.second - RateRule.credit)
  }

  @Test("A transfer that is slower than the limit is not followed by a wait (T55)")
  func slow() {
    var rule = RateRule(bytesPerSecond: 1000)
    for moment in 1...10 {
      let now = Int64(moment) * Self.second
      #expect(rule.count(50, at: now) <= now)
    }
  }

  @Test("Extreme numbers cause no overflow (T55)")
  func extremes() {
    var rule = RateRule(bytesPerSecond: 0)
    #expect(rule.count(.max, at: .max) == .max)
    #expect(rule.count(-1, at: .max) == .max)
    var fast = RateRule(bytesPerSecond: .max)
    #expect(fast.count(1 << 40, at: Self.second) <= Self.second)
  }

  @Test(
    "A step is a multiple of 4 KiB, and lasts an eighth of a second where that is possible",
    arguments: [1: 4096, 40_000: 4096, 1 << 20: 128 << 10, .max: 8 << 20] as [Int64: Int64]
  )
  func step(rate: Int64, step: Int64) {
    #expect(RateRule(bytesPerSecond: rate).step == step)
  }

  @Test("The first steps of all threads together last an eighth of a second (T55)")
  func sharedSteps() {
    for threads in [2, 8, 32] {
      let step = RateRule(bytesPerSecond: 8 << 20, threads: threads).step
      #expect(step * Int64(threads) == 1 << 20)
    }
    #expect(RateRule(bytesPerSecond: 1, threads: 1024).step == 4096)
    #expect(RateRule(bytesPerSecond: 1, threads: 0).step == 4096)
  }
}
