import DataRegions
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Descriptions of buffers")
struct DescriptionTests {
  @Test("Regions are listed with their sizes")
  func regionsAreListedWithTheirSizes() {
    #expect(DataBuffer().debugDescription == "DataBuffer(empty)")
    #expect(buffer([1]).debugDescription == "DataBuffer(1 byte in 1 region: 1 copied)")
    #expect(
      buffer([1, 2], [3]).debugDescription
        == "DataBuffer(3 bytes in 2 regions: 2 copied + 1 copied)"
    )
  }

  @Test("A long list is shortened")
  func aLongListIsCut() {
    let ones = Array(repeating: "1 copied", count: 8).joined(separator: " + ")
    #expect(
      singleBytes(9).debugDescription == "DataBuffer(9 bytes in 9 regions: \(ones) + …)"
    )
    #expect(singleBytes(5_000).debugDescription.count < 200)
  }

  @Test("Owners are named")
  func ownersAreNamed() throws {
    var appended = DataBuffer()
    appended.append(spanOf: [1])
    let file = try openFile("/proc/self/exe")
    let shown: [(DataBuffer, String)] = [
      (DataBuffer([1, 2, 3]).subdata(in: 1..<2), "1 of 3 copied"),
      (appended, "1 of 256 appended"),
      (.lasting([1, 2]), "2 foreign, none"),
      (TrackedMemory().region(0, [1]), "1 foreign, custom"),
      (try DataBuffer(mapping: file.borrowed, range: 10..<15), "5 mapped"),
      (DataBuffer(owner: CountedOwner(capacity: 4), range: 0..<1), "1 of 4 owned"),
    ]
    for (bytes, expected) in shown {
      #expect(bytes.debugDescription.hasSuffix("in 1 region: \(expected))"))
    }
  }
}
