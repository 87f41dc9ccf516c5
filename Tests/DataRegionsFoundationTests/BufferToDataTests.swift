import DataRegionsFoundation
import IOChannelsTestSupport
import Testing

@Suite("Buffers as Data (S64)")
struct BufferToDataTests {
  private let parts = [pattern(40), pattern(17, from: 40), pattern(43, from: 57)]

  @Test("A Data is a copy unless the caller asks for none")
  func aDataIsACopyUnlessItIsAskedNotToBe() {
    for shown in [buffer(parts), DataBuffer(pattern(100)), .empty] {
      var data = Data(shown)
      #expect([UInt8](data) == [UInt8](shown))
      #expect(!shown.regions.map(\.address).contains(data.address))
      for index in data.indices { data[index] ^= 1 }
      #expect([UInt8](shown) == Array(pattern(100).prefix(shown.count)))
    }
  }

  @Test("A region is shown without a copy", arguments: [17, 100, 1 << 20])
  func aRegionIsShownWithoutACopy(_ count: Int) {
    let region = DataBuffer(pattern(count)).regions[0]
    let data = Data.sharing(region)
    #expect(data.address == region.address)
    #expect([UInt8](data) == pattern(count))
  }

  @Test("Each region has a Data of its own")
  func eachRegionMakesADataOfItsOwn() {
    let whole = buffer(parts).subdata(in: 1..<99)
    let datas = whole.regions.map { Data.sharing($0) }
    #expect(datas.map(\.address) == whole.regions.map(\.address))
    #expect(datas.flatMap { [UInt8]($0) } == Array(pattern(100)[1..<99]))
  }

  @Test("Several regions are copied into one Data")
  func severalRegionsAreCopiedIntoOneData() {
    let one = DataBuffer(pattern(100))
    #expect(Data.sharing(one).address == one.regions[0].address)
    let several = buffer(parts)
    let data = Data.sharing(several)
    #expect([UInt8](data) == pattern(100))
    #expect(!several.regions.map(\.address).contains(data.address))
    #expect(Data.sharing(DataBuffer.empty).isEmpty)
  }

  @Test("The region is kept and released once")
  func theRegionIsKeptAndGivenBackOnce() {
    let ends = Ends()
    var data: Data? = .sharing(.counted(pattern(100), by: ends))
    var slice = data?[20..<60]
    data = nil
    #expect(ends.count == 0)
    #expect(slice.map { [UInt8]($0) } == Array(pattern(100)[20..<60]))
    slice = nil
    #expect(ends.count == 1)
  }

  @Test("The region of few bytes is released once", arguments: 1...16)
  func theRegionOfFewBytesIsLetGoOfOnce(_ count: Int) {
    let ends = Ends()
    var data = Data.sharing(.counted(pattern(count), by: ends))
    #expect([UInt8](data) == pattern(count))
    data = Data()
    #expect(ends.count == 1)
  }

  @Test("A copy that is changed leaves the region as it is")
  func aCopyThatIsChangedLeavesTheRegionAsItIs() {
    let region = DataBuffer(pattern(100)).regions[0]
    let data = Data.sharing(region)
    var copy = data
    copy[0] ^= 1
    #expect([UInt8](region) == pattern(100))
    #expect(data.address == region.address)
  }

  @Test("A conversion and its inverse keep the same memory")
  func thereAndBackIsTheSameMemory() {
    let ends = Ends()
    do {
      let data = Data.counted(pattern(100), by: ends)
      let back = Data.sharing(DataBuffer(data))
      #expect(back.address == data.address)
    }
    #expect(ends.count == 1)
  }
}
