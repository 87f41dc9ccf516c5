import DataRegions
import Testing

@Suite("Creation of buffers")
struct CreationTests {
  @Test("Empty buffers have no region")
  func emptyBuffersHaveNoRegion() {
    let empties = [
      DataBuffer(), .empty, DataBuffer([]), DataBuffer(EmptyCollection()),
      DataBuffer.copying(spanOf: []),
    ]
    for empty in empties {
      #expect(empty.isEmpty)
      #expect(empty.count == 0)
      #expect(empty.regions.isEmpty)
      #expect([UInt8](empty) == [])
    }
  }

  @Test("Bytes are copied into one region")
  func bytesAreCopiedIntoOneRegion() {
    var bytes: [UInt8] = [1, 2, 3]
    let copy = DataBuffer(bytes)
    bytes[0] = 9
    #expect([UInt8](copy) == [1, 2, 3])
    #expect(copy.sizes == [3])
  }

  @Test("A buffer is created from every kind of source")
  func everyKindOfSourceIsTaken() {
    let expected: [UInt8] = [5, 6, 7]
    #expect([UInt8](DataBuffer(5...7)) == expected)
    #expect([UInt8](DataBuffer(expected.lazy.map { $0 })) == expected)
    #expect([UInt8](DataBuffer(sequence(first: 5) { $0 < 7 ? $0 + 1 : nil })) == expected)
    #expect([UInt8](DataBuffer.copying(spanOf: expected)) == expected)
    #expect([UInt8](DataBuffer.copying(pointerTo: expected)) == expected)
    #expect([UInt8](DataBuffer("AB".utf8)) == [65, 66])
  }

  @Test("A buffer uses foreign memory without a copy")
  func memoryIsShownWithoutACopy() {
    let tracked = TrackedMemory()
    let shown = tracked.region(0, [1, 2, 3])
    #expect([UInt8](shown) == [1, 2, 3])
    #expect(shown.regions.map(\.address) == tracked.addresses)
  }

  @Test("A region becomes a buffer")
  func aRegionBecomesABuffer() {
    let whole = buffer([1, 2], [3, 4, 5])
    let part = DataBuffer(whole.regions[1])
    #expect([UInt8](part) == [3, 4, 5])
    #expect(part.sizes == [3])
    #expect(part.regions[0].address == whole.regions[1].address)
  }

  @Test("A buffer is created from a buffer without a copy")
  func aBufferIsTakenWithoutACopy() {
    let whole = buffer([1, 2], [3, 4, 5])
    #expect(DataBuffer(whole).regions.map(\.address) == whole.regions.map(\.address))
  }

  @Test("A buffer is created from literals and slices")
  func literalsAndSlicesAreTaken() {
    let literal: DataBuffer = [1, 2, 3]
    #expect([UInt8](literal) == [1, 2, 3])
    let whole = buffer([0, 1, 2], [3, 4])
    let part = DataBuffer(whole[1..<4])
    #expect([UInt8](part) == [1, 2, 3])
    #expect(part.regions.map(\.address) == whole.subdata(in: 1..<4).regions.map(\.address))
    #expect(DataBuffer(whole[5..<5]).isEmpty)
  }
}
