import Testing

@testable import IOChannelsSystem

@Suite("Memory limits")
struct MemoryLimitTests {
  @Test("The limits of control groups are read")
  func readsLimitsOfControlGroups() {
    #expect(MemoryLimit.bytes(in: "67108864\n") == 64 << 20)
    #expect(MemoryLimit.bytes(in: "max\n") == nil)
    #expect(MemoryLimit.bytes(in: "0\n") == nil)
    #expect(MemoryLimit.bytes(in: "") == nil)
  }

  @Test("A process may use some memory, and no more than the machine has")
  func theProcessMayUseSomethingAndNoMoreThanTheMachineHas() throws {
    let text = try #require(ControlGroup.contents(of: "/proc/meminfo"))
    let total = try #require(text.split(separator: "\n").first)
    let kibi = try #require(Int(total.split(separator: " ")[1]))
    #expect(MemoryLimit.usable > 1 << 20)
    #expect(MemoryLimit.usable <= kibi << 10)
  }
}
