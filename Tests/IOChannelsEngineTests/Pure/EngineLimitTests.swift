import Testing

@testable import IOChannelsEngine

@Suite("Limits that the environment sets (S215)")
struct EngineLimitTests {
  @Test("A limit is a number in its range (S215)", arguments: EngineLimit.allCases)
  func numbers(limit: EngineLimit) {
    let range = limit.range
    for number in [range.lowerBound, range.lowerBound + 1, range.upperBound] {
      #expect(limit.number(in: "\(number)") == number)
    }
    let invalid = [
      "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "0", "-5", "", " 64", "64M", "0x40",
      "99999999999999999999",
    ]
    for text in invalid { #expect(limit.number(in: text) == nil, "\(text)") }
  }

  @Test("Without a setting the limit is the default (S215)", arguments: EngineLimit.allCases)
  func defaults(limit: EngineLimit) {
    #expect(limit.invalidValue == nil)
    #expect(limit.value(default: 77) == 77)
  }
}
