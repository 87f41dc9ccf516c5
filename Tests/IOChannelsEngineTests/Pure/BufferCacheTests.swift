import DataRegions
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Buffer cache")
struct BufferCacheTests {
  private typealias Cache = BufferCache<Int>

  @Test("The newest buffer of a size comes first")
  func theNewestBufferOfASizeComesFirst() {
    var cache = Cache(limit: 100, sizes: [1, 10])
    for number in 0..<3 { #expect(cache.add(number, 0).isEmpty) }
    #expect(cache.add(10, 1).isEmpty)
    #expect(cache.bytes == 13)
    #expect((0..<4).map { _ in cache.take(0) } == [2, 1, 0, nil])
    #expect(cache.take(1) == 10)
    #expect(cache.bytes == 0)
  }

  @Test("All buffers can be removed at once")
  func removal() {
    var cache = Cache(limit: 100, sizes: [1, 10])
    for number in 0..<3 { #expect(cache.add(number, number % 2).isEmpty) }
    // Its oldest buffer has gone already.
    let taken = cache.take(0)
    #expect(taken == 2)
    #expect(cache.removeAll().map(\.memory).sorted() == [0, 1])
    #expect(cache.bytes == 0 && cache.removeAll().isEmpty)
    let again = cache.add(7, 0)
    #expect(again.isEmpty && cache.bytes == 1)
  }

  /// A program that needed long buffers once needs short ones now.
  @Test("The buffer that was unused for longest is freed first")
  func whatLayUnusedForLongestGoesFirst() {
    var cache = Cache(limit: 30, sizes: [1, 10])
    for number in 0..<3 { #expect(cache.add(number, 1).isEmpty) }
    #expect(cache.add(100, 0).map(\.memory) == [0])
    for number in 101..<110 { #expect(cache.add(number, 0).isEmpty) }
    #expect(cache.add(110, 0).map(\.memory) == [1])
    #expect(cache.bytes == 21)
    // One whose size has the oldest buffer goes itself.
    #expect(cache.add(3, 1).map(\.memory) == [3])
    // A long one that is in use again takes the place of as many short ones as it needs.
    #expect(cache.take(1) == 2)
    #expect(cache.add(2, 1).isEmpty)
    #expect(cache.add(3, 1).map(\.memory) == [100])
    #expect(cache.add(4, 1).map(\.memory) == Array(101...110))
    #expect(cache.bytes == 30)
  }

  @Test("No buffer is lost and none is kept beyond the limit")
  func noBufferIsLostAndNoneIsKeptBeyondTheLimit() {
    var random = SeededGenerator(for: "buffer cache")
    for _ in 0..<200 {
      let sizes = [1, 3, 10]
      let limit = Int.random(in: 0...60, using: &random)
      var cache = Cache(limit: limit, sizes: sizes)
      var kept: [Int: Int] = [:]
      for number in 0..<300 {
        let size = sizes.indices.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          let dropped = cache.add(number, size)
          kept[number] = size
          for one in dropped { #expect(kept.removeValue(forKey: one.memory) == one.sizeClass) }
        } else if let taken = cache.take(size) {
          #expect(taken == kept.filter { $0.value == size }.keys.max())
          #expect(kept.removeValue(forKey: taken) == size)
        } else {
          #expect(!kept.values.contains(size))
        }
        #expect(cache.bytes == kept.values.reduce(0) { $0 + sizes[$1] })
        #expect(cache.bytes <= limit)
      }
    }
  }

  /// Pages that the kernel gives anew hold zeros.
  @Test("A pool that is full of other buffers keeps those in use")
  func aPoolThatIsFullOfOtherBuffersKeepsThoseInUse() throws {
    let pool = BufferPool(cachedBytesLimit: 1 << 20)
    var long = try (0..<16).map { _ in try #require(pool.makeBuffer(atLeast: 64 << 10)) }
    long.removeAll()
    for round in 0..<2 {
      let buffer = try #require(pool.makeBuffer(atLeast: 4096))
      let filled = buffer.filled(0..<4096)
      #expect([UInt8](filled) == Array(repeating: round == 0 ? 0 : 7, count: 4096))
      if round == 0 { _ = buffer.filled(with: DataBuffer(repeatElement(7, count: 4096))) }
    }
  }
}
