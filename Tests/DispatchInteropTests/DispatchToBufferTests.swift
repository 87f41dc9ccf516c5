import DispatchInterop
import IOChannelsTestSupport
import Testing

@Suite("DispatchData as buffers (S63)")
struct DispatchToBufferTests {
  private let queue = DispatchQueue(label: "ends")

  /// A data of `count` regions of 3 bytes, and the count of each one's ends.
  private func data(regions count: Int) -> (data: DispatchData, ends: [Ends]) {
    let ends = (0..<count).map { _ in Ends() }
    var data = DispatchData.empty
    for (number, end) in ends.enumerated() {
      data.append(.counted(pattern(3, from: number * 3), on: queue, by: end))
    }
    return (data, ends)
  }

  @Test("Regions are shown without a copy", arguments: [0, 1, 2, 3, 7, 64, 100])
  func regionsAreShownWithoutACopy(_ count: Int) {
    let (data, _) = data(regions: count)
    let shown = DataBuffer(data)
    #expect(shown.places == data.places)
    #expect(shown.regions.count == count)
    #expect([UInt8](shown) == pattern(count * 3))
  }

  @Test("Regions that are cut keep their bounds")
  func cutRegionsAreShownAsTheyAre() {
    let (data, _) = data(regions: 10)
    let part = data.subdata(in: 4..<23)
    let shown = DataBuffer(part)
    #expect(shown.places == part.places)
    #expect(shown.regions.map(\.count) == [2, 3, 3, 3, 3, 3, 2])
    #expect([UInt8](shown) == Array(pattern(30)[4..<23]))
  }

  @Test("A region that occurs twice is shown twice")
  func aRegionThatStandsInItTwiceIsShownTwice() {
    let ends = Ends()
    do {
      let one = DispatchData.counted([1, 2], on: queue, by: ends)
      var two = one
      two.append(one)
      #expect([UInt8](DataBuffer(two)) == [1, 2, 1, 2])
    }
    queue.drain()
    #expect(ends.count == 1)
  }

  @Test("The memory is kept and released once")
  func theMemoryIsKeptAndGivenBackOnce() {
    var (data, ends): (DispatchData?, [Ends]) = data(regions: 5)
    var shown = data.map { DataBuffer($0) } ?? .empty
    data = nil
    queue.drain()
    #expect(ends.map(\.count) == [0, 0, 0, 0, 0])
    #expect([UInt8](shown) == pattern(15))
    shown = .empty
    queue.drain()
    #expect(ends.map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test("A part keeps only the memory of its bytes")
  func aPartKeepsOnlyWhatItShows() {
    var (data, ends): (DispatchData?, [Ends]) = data(regions: 7)
    var part = data.map { DataBuffer($0).subdata(in: 7..<10) } ?? .empty
    data = nil
    queue.drain()
    #expect(ends.map(\.count) == [1, 1, 0, 0, 1, 1, 1])
    #expect([UInt8](part) == Array(pattern(21)[7..<10]))
    part = .empty
    queue.drain()
    #expect(ends.map(\.count) == [1, 1, 1, 1, 1, 1, 1])
  }

  @Test("Parts may be released on many threads")
  func partsMayBeDroppedOnManyThreads() async {
    var (data, ends): (DispatchData?, [Ends]) = data(regions: 200)
    var shown = data.map { DataBuffer($0) } ?? .empty
    data = nil
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { [shown] in
          let part = shown.subdata(in: task * 10..<600 - task)
          #expect([UInt8](part) == Array(pattern(600)[task * 10..<600 - task]))
        }
      }
    }
    queue.drain()
    #expect(ends.allSatisfy { $0.count == 0 })
    shown = .empty
    queue.drain()
    #expect(ends.allSatisfy { $0.count == 1 })
  }
}
