import DataRegions
import Testing

@Suite("Parts of buffers")
struct SlicingTests {
  @Test("Every range of a small buffer is the range of an array")
  func everyRangeOfASmallBuffer() {
    let bytes: [UInt8] = Array(0..<10)
    let whole = buffer([0, 1, 2], [3], [4, 5, 6, 7], [8, 9])
    for lower in 0...10 {
      for upper in lower...10 {
        let part = whole.subdata(in: lower..<upper)
        #expect([UInt8](part) == Array(bytes[lower..<upper]))
        #expect(part.count == upper - lower)
        #expect(part.isEmpty == (lower == upper))
      }
    }
  }

  @Test("A cut divides only the outer regions")
  func onlyTheOuterRegionsAreCut() {
    let whole = buffer([0, 1, 2], [3], [4, 5, 6, 7], [8, 9])
    #expect(whole.subdata(in: 1..<9).sizes == [2, 1, 4, 1])
    #expect(whole.subdata(in: 3..<4).sizes == [1])
    #expect(whole.subdata(in: 3..<8).sizes == [1, 4])
    #expect(whole.subdata(in: 0..<10).sizes == whole.sizes)
  }

  @Test("A part has the same memory as its buffer")
  func aPartShowsTheSameMemory() {
    let whole = buffer([0, 1, 2], [3, 4])
    let part = whole.subdata(in: 1..<4).subdata(in: 1..<3)
    #expect(part.regions[0].address == whole.regions[0].address + 2)
    #expect(part.regions[1].address == whole.regions[1].address)
  }

  @Test("A split is undone by a concatenation")
  func aSplitIsUndoneByAConcatenation() {
    let whole = singleBytes(100)
    for offset in 0...100 {
      let (head, tail) = whole.split(at: offset)
      #expect(head.count == offset)
      #expect(head + tail == whole)
    }
  }

  @Test("Flattening copies only several regions")
  func flatteningCopiesOnlySeveralRegions() {
    let one = buffer([1, 2])
    #expect(one.flattened().regions[0].address == one.regions[0].address)
    let flat = buffer([1, 2], [3]).flattened()
    #expect(flat.sizes == [3])
    #expect([UInt8](flat) == [1, 2, 3])
    #expect(DataBuffer.empty.flattened().isEmpty)
  }

  @Test("The bytes of several regions are gathered once")
  func bytesAreGatheredOnce() {
    var bytes = buffer([1, 2], [3])
    let before = bytes
    bytes.makeContiguous()
    #expect(bytes == before)
    #expect(bytes.sizes == [3] && before.sizes == [2, 1])
    let address = bytes.regions[0].address
    bytes.makeContiguous()
    #expect(bytes.regions[0].address == address)
    #expect(bytes.withContiguousBytes { $0.byteCount } == 3)
    #expect(before.withContiguousBytes { DataBuffer(bytes: $0) } == before)
    #expect(DataBuffer.empty.withContiguousBytes { $0.isEmpty })
  }

  /// A queue of bytes: appended at the end, taken from the front.
  @Test("A queue keeps only the memory of its bytes")
  func aQueueKeepsWhatItHolds() {
    var queue = DataBuffer()
    var (written, read) = (0, 0)
    for step in 0..<5000 {
      queue.append(singleBytes(1 + step % 3, from: written))
      written += 1 + step % 3
      let length = min(queue.count, step % 4)
      let (head, tail) = queue.split(at: length)
      #expect([UInt8](head) == (read..<read + length).map { UInt8(truncatingIfNeeded: $0) })
      queue = tail
      read += length
    }
    #expect(queue.count == written - read)
  }
}
