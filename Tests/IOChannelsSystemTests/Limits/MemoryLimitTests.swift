import Testing

@testable import IOChannelsSystem

@Suite struct MemoryLimitTests {
  @Test func readsLimitsOfControlGroups() {
    #expect(MemoryLimit.bytes(in: "67108864\n") == 64 << 20)
    #expect(MemoryLimit.bytes(in: "max\n") == nil)
    #expect(MemoryLimit.bytes(in: "0\n") == nil)
    #expect(MemoryLimit.bytes(in: "") == nil)
  }

  @Test func theProcessMayUseSomethingAndNoMoreThanTheMachineHas() throws {
    let text = try #require(ControlGroup.contents(of: "/proc/meminfo"))
    let total = try #require(text.split(separator: "\n").first)
    let kibi = try #require(Int(total.split(separator: " ")[1]))
    #expect(MemoryLimit.usable > 1 << 20)
    #expect(MemoryLimit.usable <= kibi << 10)
  }
}
