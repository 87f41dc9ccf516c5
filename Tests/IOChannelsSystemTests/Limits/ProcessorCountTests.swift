import Testing

@testable import IOChannelsSystem

@Suite("Processor count")
struct ProcessorCountTests {
  @Test("The count is positive")
  func isPositive() {
    #expect(ProcessorCount.usable >= 1)
  }

  @Test(
    "The quota of version 2 is read",
    arguments: [
      ("max 100000\n", nil), ("", nil), ("100000", nil), ("x 100000", nil), ("0 100000", nil),
      ("100000 0", nil), ("-1 100000", nil), ("50000 100000\n", 1), ("100000 100000", 1),
      ("150000 100000\n", 2), ("200000 100000\n", 2), ("9223372036854775807 1\n", Int.max),
    ]
  )
  func readsTheQuotaOfVersion2(text: String, processors: Int?) {
    #expect(ProcessorQuota(maximum: text)?.processors == processors)
  }

  @Test("The quota of version 1 is read")
  func readsTheQuotaOfVersion1() {
    #expect(ProcessorQuota(quota: "-1\n", period: "100000\n") == nil)
    #expect(ProcessorQuota(quota: "250000\n", period: "100000\n")?.processors == 3)
  }

  @Test("The group that limits processor time is found")
  func findsTheGroupThatRulesProcessorTime() {
    let unified = ControlGroup(ruling: "cpu", in: "0::/user.slice/a:b\n")
    #expect(unified == ControlGroup(isUnified: true, path: "/user.slice/a:b"))
    #expect(unified?.ancestors == ["/user.slice/a:b", "/user.slice", ""])
    let both = "3:memory:/m\n2:cpu,cpuacct:/docker/x\n0::/unified\n"
    #expect(
      ControlGroup(ruling: "cpu", in: both) == ControlGroup(isUnified: false, path: "/docker/x")
    )
    #expect(ControlGroup(ruling: "cpu", in: "0::/\n")?.ancestors == [""])
    #expect(ControlGroup(ruling: "cpu", in: "nonsense\n1:cpuset:/\n") == nil)
  }
}
