import DataRegionsFoundation
import IOChannelsTestSupport
import Testing

@Suite("Data as buffers (S63)")
struct DataToBufferTests {
  @Test("A Data is shown without a copy", arguments: [17, 18, 100, 1 << 20])
  func aDataIsShownWithoutACopy(_ count: Int) {
    let data = Data(pattern(count))
    let shown = DataBuffer(data)
    #expect(shown.regions.map(\.address) == [data.address])
    #expect([UInt8](shown) == pattern(count))
  }

  @Test("Few bytes are copied", arguments: 0...16)
  func fewBytesAreCopied(_ count: Int) {
    let shown = (0..<10).map { DataBuffer(Data(pattern(count, from: $0))) }
    for (number, buffer) in shown.enumerated() {
      #expect([UInt8](buffer) == pattern(count, from: number))
      #expect(buffer.regions.count == Swift.min(count, 1))
    }
  }

  @Test("A slice is shown from its start")
  func aSliceIsShownFromItsStart() {
    let data = Data(pattern(1000))
    let slice = data[100..<400]
    let shown = DataBuffer(slice)
    #expect(shown.regions.map(\.address) == [data.address + 100])
    #expect([UInt8](shown) == Array(pattern(1000)[100..<400]))
  }

  @Test("A changed Data leaves the buffer as it is")
  func aChangedDataLeavesTheBufferAsItIs() {
    var data = Data(pattern(100))
    let shown = DataBuffer(data)
    data[0] ^= 1
    data.append(1)
    #expect([UInt8](shown) == pattern(100))
    #expect(data.address != shown.regions[0].address)
  }

  @Test("The memory is kept and released once")
  func theMemoryIsKeptAndGivenBackOnce() {
    let ends = Ends()
    var data: Data? = .counted(pattern(100), by: ends)
    var shown = data.map { DataBuffer($0) } ?? .empty
    data = nil
    #expect(ends.count == 0)
    var part = shown.subdata(in: 40..<50)
    shown = .empty
    #expect(ends.count == 0)
    #expect([UInt8](part) == Array(pattern(100)[40..<50]))
    part = .empty
    #expect(ends.count == 1)
  }

  @Test("A short slice does not keep the rest of the memory")
  func aShortSliceDoesNotKeepTheRest() {
    let ends = Ends()
    var data: Data? = .counted(pattern(100), by: ends)
    let shown = data.map { DataBuffer($0[50..<60]) } ?? .empty
    data = nil
    #expect(ends.count == 1)
    #expect([UInt8](shown) == Array(pattern(100)[50..<60]))
  }

  @Test("Parts may be released on many threads")
  func partsMayBeDroppedOnManyThreads() async {
    let ends = Ends()
    var shown = DataBuffer(Data.counted(pattern(10_000), by: ends))
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { [shown] in
          for offset in 0..<100 {
            let part = shown.subdata(in: task + offset..<9_000 + task)
            #expect(part.first == pattern(1, from: task + offset).first)
          }
        }
      }
    }
    #expect(ends.count == 0)
    shown = .empty
    #expect(ends.count == 1)
  }
}
