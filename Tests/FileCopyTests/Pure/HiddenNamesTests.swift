import SystemCalls
import TestSupport
import Testing

@testable import FileCopy

/// How hidden names look, so that what a dead copy left is known from everything else.
@Suite("Hidden names")
struct HiddenNamesTests {
  @Test("All are equally long, whatever their number, and are known again (T38, F13)")
  func names() {
    for number: UInt64 in [0, 1, 35, 36, 1 << 32, .max] {
      let name = HiddenNames.name(number)
      #expect(name.bytes.count == 21)
      #expect(HiddenNames.contain(name))
    }
    #expect(HiddenNames.name(.max) == ".fastcp-3w5e11264sgsf")
    #expect(HiddenNames.name(1) == ".fastcp-0000000000001")
  }

  @Test(
    "Other names are the user's (F13)",
    arguments: [
      "", ".fastcp-", ".fastcp-000000000001", ".fastcp-00000000000011", ".fastcp-000000000000A",
      ".fastcp-00000000000-1", "xfastcp-0000000000001", "a.fastcp-0000000000001", ".fastcp-notes",
    ]
  )
  func others(name: String) {
    #expect(!HiddenNames.contain(FilePath(name)))
  }
}
