import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Slices")
struct SliceTests {
  private let whole = buffer([0, 1, 2], [3], [4, 5, 3])

  @Test("Offsets of a slice are those of its buffer")
  func offsetsAreThoseOfTheBuffer() {
    let slice = whole[2..<6]
    #expect(slice.startIndex == 2 && slice.endIndex == 6 && slice.count == 4)
    #expect(slice.indices.map { slice[$0] } == [2, 3, 4, 5])
    #expect(Array(slice[3..<5]) == [3, 4])
    #expect(slice[3...].startIndex == 3 && slice[3...].endIndex == 6)
    #expect(slice[2..<2].isEmpty && slice[6..<6].isEmpty)
    #expect(whole[...].count == 7)
  }

  /// Every way to take and read a part gives what it gives for an array.
  @Test("A slice reads like an array")
  func readingIsThatOfAnArray() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 20_000) {
      let bytes = random.bytes(random.number(in: 0..<60)).map { $0 & 15 }
      let divided = random.divided(bytes, longest: 8)
      let ends = (0..<4).map { _ in random.number(in: 0..<bytes.count + 1) }.sorted()
      let slice = divided[ends[0]..<ends[3]]
      let model = bytes[ends[0]..<ends[3]]
      let seed: Comment = "seed \(random.seed)"
      expect(slice, like: model, seed)
      expect(slice[ends[1]..<ends[2]], like: model[ends[1]..<ends[2]], seed)
      expect(slice.prefix(ends[1]).dropFirst(2), like: model.prefix(ends[1]).dropFirst(2), seed)
      expect(slice.suffix(ends[1]).dropLast(2), like: model.suffix(ends[1]).dropLast(2), seed)
      let parts = divided.split { $0 > 11 }
      let expected = bytes.split { $0 > 11 }
      #expect(parts.count == expected.count, seed)
      for (part, expected) in zip(parts, expected) { expect(part, like: expected, seed) }
    }
  }

  private func expect(_ slice: DataBuffer.Slice, like model: ArraySlice<UInt8>, _ seed: Comment) {
    #expect(slice.startIndex == model.startIndex && slice.endIndex == model.endIndex, seed)
    #expect(Array(slice) == Array(model), seed)
    #expect(String(decoding: slice, as: UTF8.self) == String(decoding: model, as: UTF8.self), seed)
    #expect(slice.reduce(into: []) { $0.append($1) } == Array(model), seed)
    #expect(slice.reversed().elementsEqual(model.reversed()), seed)
    #expect(slice.first == model.first && slice.last == model.last, seed)
    #expect(slice.firstIndex(of: 3) == model.firstIndex(of: 3), seed)
    #expect(slice.lastIndex(of: 3) == model.lastIndex(of: 3), seed)
    #expect(slice.contains(3) == model.contains(3), seed)
    #expect(Array(DataBuffer(slice)) == Array(model), seed)
  }

  /// Else each byte would be looked for from the root of the tree.
  @Test("Bytes are read region by region")
  func bytesAreReadRegionByRegion() {
    let slice = whole[1..<6]
    #expect(type(of: slice.makeIterator()) == DataBuffer.Iterator.self)
    #expect(slice._customIndexOfEquatableElement(4) == .some(4))
    #expect(slice._customIndexOfEquatableElement(0) == .some(nil))
    #expect(slice._customLastIndexOfEquatableElement(3) == .some(3))
    #expect(slice._customLastIndexOfEquatableElement(0) == .some(nil))
    #expect(slice._customContainsEquatableElement(5) == true)
    #expect(slice._customContainsEquatableElement(0) == false)
    #expect(slice.copiedContents(room: 3) == [[1, 2, 3], [4, 5]])
    #expect(slice.copiedContents(room: 9) == [[1, 2, 3, 4, 5], []])
  }

  @Test("A sequence is found inside a slice")
  func aSequenceIsFoundInsideASlice() {
    let slice = buffer([5, 1, 2], [3], [1, 2, 9], [7, 1])[2..<8]
    #expect(slice.firstRange(of: [1, 2]) == 4..<6)
    #expect(slice.firstRange(of: [7, 1]) == nil)
    #expect(slice.lastRange(of: [2]) == 5..<6)
    #expect(slice.lastRange(of: [5]) == nil)
    #expect(slice.ranges(of: [2]) == [2..<3, 5..<6])
    #expect(slice.contains([3, 1]) && !slice.contains([1, 2, 3]))
  }

  @Test("Contiguous bytes are accessed in place")
  func bytesInOnePlaceAreShownThere() {
    #expect(whole[4..<6].contiguousBytes == [4, 5])
    #expect(whole[3..<3].contiguousBytes == [])
    #expect(whole[3..<5].contiguousBytes == nil)
    #expect(buffer([1, 2, 3])[1...].contiguousBytes == [2, 3])
  }

  @Test("Equal bytes are equal slices")
  func equalBytesAreEqualSlices() {
    let slice = whole[3..<4]
    #expect(slice == whole[6..<7] && slice.hashValue == whole[6..<7].hashValue)
    #expect(whole[1..<5] == buffer([9, 1], [2, 3, 4])[1...])
    #expect(slice != whole[4..<5])
    #expect(slice != whole[3..<5])
    #expect(Set([slice, whole[6...], whole[4..<5]]).count == 2)
  }

  @Test("A buffer of a slice keeps only the memory of the slice")
  func aBufferOfASliceKeepsWhatItShows() {
    let tracked = TrackedMemory()
    var slice = (tracked.region(0, [1, 2]) + tracked.region(1, [3, 4]))[3...]
    #expect(tracked.returnedNumbers.isEmpty)
    var appended = buffer([7])
    appended.append(contentsOf: slice)
    #expect(appended.regions[1].address == DataBuffer(slice).regions[0].address)
    slice = whole[...]
    #expect(tracked.returnedNumbers == [0])
    #expect([UInt8](appended) == [7, 4])
  }

  @Test("A slice is consumed from its front")
  func aSliceIsConsumedFromItsFront() {
    var rest = whole[1...]
    #expect(rest.popFirst() == 1)
    rest.removeFirst(2)
    #expect(rest == whole[4...] && rest.startIndex == 4)
  }
}
