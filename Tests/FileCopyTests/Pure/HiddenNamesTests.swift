import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// How hidden names look, so that what a dead copy left is known from everything else.
@Suite("Hidden names")
struct HiddenNamesTests {
  @Test("Hidden names are equally long, and name the process that works on the file (T38, F13)")
  func names() {
    for number: UInt64 in [0, 1, 35, 36, 1 << 32, .max] {
      for owner in [
        ProcessIdentity(host: number, number: 0, start: 0),
        ProcessIdentity(host: 7, number: .max, start: number),
      ] {
        let name = HiddenNames.name(number, of: owner)
        #expect(name.bytes.count == 54)
        #expect(HiddenNames.contain(name))
        #expect(HiddenNames.owner(of: name) == owner)
      }
    }
    let owner = ProcessIdentity(host: 36, number: 35, start: 2)
    #expect(
      HiddenNames.name(.max, of: owner)
        == ".fastcp-0000000000010000000z00000000000023w5e11264sgsf"
    )
  }

  @Test(
    "Other names are the user's (F13)",
    arguments: [
      "",
      ".fastcp-",
      ".fastcp-0000000000001",
      ".fastcp-notes",
      ".fastcp-0000000000010000000z00000000000023w5e11264sgs",
      ".fastcp-0000000000010000000z00000000000023w5e11264sgsff",
      ".fastcp-0000000000010000000Z00000000000023w5e11264sgsf",
      ".fastcp-000000000001000000-z00000000000023w5e11264sgsf",
      ".fastcp-0000000000010000000zzzzzzzzzzzzzz3w5e11264sgsf",
      ".fastcp-0000000000010zzzzzzz00000000000023w5e11264sgsf",
      "xfastcp-0000000000010000000z00000000000023w5e11264sgsf",
      ".fastcp-zzzzzzzzzzzzz000000z00000000000023w5e11264sgsf",
    ]
  )
  func others(name: String) {
    #expect(!HiddenNames.contain(BytePath(name)))
  }
}
