import DispatchInterop
import IOChannelsTestSupport
import Testing

@Suite("Buffers as DispatchData (S65)")
struct BufferToDispatchTests {
  private let queue = DispatchQueue(label: "ends")

  /// A buffer of `count` regions of 3 bytes, and the count of each one's ends.
  private func buffer(regions count: Int) -> (buffer: DataBuffer, ends: [Ends]) {
    let ends = (0..<count).map { _ in Ends() }
    var buffer = DataBuffer()
    for (number, end) in ends.enumerated() {
      buffer.append(.counted(pattern(3, from: number * 3), by: end))
    }
    return (buffer, ends)
  }

  @Test("Regions are shown without a copy", arguments: [0, 1, 2, 3, 7, 64, 100])
  func regionsAreShownWithoutACopy(_ count: Int) {
    let (buffer, _) = buffer(regions: count)
    let shown = DispatchData(buffer)
    #expect(shown.places == buffer.places)
    #expect(shown.count == count * 3)
    #expect(shown.bytes == pattern(count * 3))
  }

  @Test("Regions that are cut keep their bounds")
  func cutRegionsAreShownAsTheyAre() {
    let part = buffer(regions: 10).buffer.subdata(in: 4..<23)
    let shown = DispatchData(part)
    #expect(shown.places == part.places)
    #expect(shown.bytes == Array(pattern(30)[4..<23]))
  }

  @Test("Regions are retained and released once")
  func regionsAreKeptAndLetGoOfOnce() {
    var (whole, ends) = buffer(regions: 5)
    var shown: DispatchData? = DispatchData(whole, releasingOn: queue)
    whole = .empty
    queue.drain()
    #expect(ends.map(\.count) == [0, 0, 0, 0, 0])
    var part = shown?.subdata(in: 4..<8)
    shown = nil
    queue.drain()
    #expect(ends.map(\.count) == [1, 0, 0, 1, 1])
    #expect(part?.bytes == Array(pattern(15)[4..<8]))
    part = nil
    queue.drain()
    #expect(ends.map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test("A buffer outlives the data that was created from it")
  func aBufferOutlivesWhatShowsIt() {
    let (whole, ends) = buffer(regions: 3)
    do { #expect(DispatchData(whole, releasingOn: queue).count == 9) }
    queue.drain()
    #expect(ends.map(\.count) == [0, 0, 0])
    #expect([UInt8](whole) == pattern(9))
  }

  @Test("Regions are released on the given queue")
  func regionsAreLetGoOfOnTheGivenQueue() {
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let (place, ended) = (Ends(), DispatchSemaphore(value: 0))
    var buffer = DataBuffer.ending([1, 2, 3]) {
      if DispatchQueue.getSpecific(key: key) == 7 { place.countOne() }
      ended.signal()
    }
    var data: DispatchData? = DispatchData(buffer, releasingOn: queue)
    // The data is the last to show the region only when the buffer goes first.
    buffer = .empty
    #expect(buffer.isEmpty && data?.count == 3)
    data = nil
    ended.wait()
    #expect(place.count == 1)
  }

  @Test("Regions are released without a queue too")
  func withoutAQueueRegionsAreLetGoOfAllTheSame() {
    let ended = DispatchSemaphore(value: 0)
    do {
      let buffer = DataBuffer.ending([1, 2, 3]) { ended.signal() }
      #expect(DispatchData(buffer).bytes == [1, 2, 3])
    }
    ended.wait()
  }

  @Test("Data may be released on many threads")
  func dataMayBeDroppedOnManyThreads() async {
    var (whole, ends) = buffer(regions: 200)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask { [whole] in
          let part = DispatchData(whole, releasingOn: queue).subdata(in: task * 10..<600 - task)
          #expect(part.bytes == Array(pattern(600)[task * 10..<600 - task]))
        }
      }
    }
    whole = .empty
    queue.drain()
    #expect(ends.allSatisfy { $0.count == 1 })
  }

  @Test("A conversion and its inverse keep the same memory")
  func thereAndBackIsTheSameMemory() {
    let (whole, ends) = buffer(regions: 20)
    #expect(DataBuffer(DispatchData(whole, releasingOn: queue)).places == whole.places)
    queue.drain()
    withExtendedLifetime(whole) { #expect(ends.allSatisfy { $0.count == 0 }) }
  }
}
