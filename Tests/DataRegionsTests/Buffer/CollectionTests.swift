import DataRegions
import Testing

@Suite("Buffers as collections")
struct CollectionTests {
  private let whole = buffer([0, 1, 2], [3], [4, 5])

  @Test("Bytes are found by offset")
  func bytesAreFoundByOffset() {
    #expect((0..<6).map { whole[$0] } == [0, 1, 2, 3, 4, 5])
    let many = singleBytes(3000)
    #expect((0..<3000).allSatisfy { many[$0] == UInt8(truncatingIfNeeded: $0) })
  }

  @Test("An iterator returns the bytes in order")
  func bytesComeInOrder() {
    var bytes: [UInt8] = []
    for byte in whole { bytes.append(byte) }
    #expect(bytes == [0, 1, 2, 3, 4, 5])
    #expect(whole.reversed().elementsEqual([5, 4, 3, 2, 1, 0]))
    var iterator = DataBuffer.empty.makeIterator()
    #expect(iterator.next() == nil)
  }

  @Test("An ended iterator stays ended")
  func anEndedIteratorStaysEnded() {
    var iterator = whole.makeIterator()
    for _ in 0..<6 { #expect(iterator.next() != nil) }
    for _ in 0..<3 { #expect(iterator.next() == nil) }
  }

  @Test("An iterator keeps the memory")
  func anIteratorKeepsTheMemory() {
    let tracked = TrackedMemory()
    do {
      var iterator = (tracked.region(0, [1, 2]) + tracked.region(1, [3])).makeIterator()
      #expect(iterator.next() == 1)
      #expect(tracked.returnedNumbers.isEmpty)
      #expect(iterator.next() == 2)
      #expect(iterator.next() == 3)
    }
    #expect(tracked.returnedNumbers == [0, 1])
  }

  @Test("Containers receive all bytes")
  func containersTakeAllBytes() {
    #expect(Array(whole) == [0, 1, 2, 3, 4, 5])
    #expect(ContiguousArray(whole) == [0, 1, 2, 3, 4, 5])
    #expect([9] + whole == [9, 0, 1, 2, 3, 4, 5])
    #expect(String(decoding: buffer([72], [105]), as: UTF8.self) == "Hi")
  }

  @Test("Storage is contiguous for one region")
  func storageIsContiguousForOneRegion() {
    #expect(buffer([1, 2]).contiguousBytes == [1, 2])
    #expect(DataBuffer.empty.contiguousBytes == [])
    #expect(whole.contiguousBytes == nil)
  }

  @Test("A closure gets all bytes in one place")
  func bytesAreShownInOnePlace() {
    #expect(whole.shownBytes.bytes == [0, 1, 2, 3, 4, 5])
    #expect(DataBuffer.empty.shownBytes.bytes == [])
    let one = buffer([7])
    #expect(one.shownBytes.address == one.regions[0].address)
  }

  @Test("Equal bytes are equal, however they are divided into regions")
  func equalBytesAreEqualHoweverDivided() {
    let others = [
      buffer([0, 1, 2, 3, 4, 5]), buffer([0], [1, 2, 3, 4], [5]), singleBytes(6),
      buffer([9, 0, 1, 2], [3, 4, 5, 9]).subdata(in: 1..<7),
    ]
    for other in others {
      #expect(whole == other)
      #expect(other == whole)
      #expect(whole.hashValue == other.hashValue)
    }
    #expect(whole != buffer([0, 1, 2, 3, 4]))
    #expect(whole != buffer([0, 1, 2, 3, 4, 6]))
    #expect(whole != buffer([1, 1, 2], [3, 4, 5]))
    #expect(whole != .empty)
    #expect(DataBuffer.empty == DataBuffer([]))
    #expect(whole.hashValue != buffer([0, 1, 2, 3, 4, 6]).hashValue)
    let (oneAndTwo, twoAndOne) = ([buffer([1]), buffer([2, 3])], [buffer([1, 2]), buffer([3])])
    #expect(oneAndTwo.hashValue != twoAndOne.hashValue)
  }
}
