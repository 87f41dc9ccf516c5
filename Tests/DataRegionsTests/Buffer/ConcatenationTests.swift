import DataRegions
import Testing

@Suite("Concatenations")
struct ConcatenationTests {
  @Test("A concatenation keeps the regions as they are")
  func regionsStayAsTheyAre() {
    let sum = buffer([1, 2]) + buffer([3]) + buffer([4, 5, 6])
    #expect([UInt8](sum) == [1, 2, 3, 4, 5, 6])
    #expect(sum.sizes == [2, 1, 3])
  }

  @Test("A sum with an array copies only the array")
  func aSumWithBytesCopiesOnlyThese() {
    let left = buffer([1], [2])
    let bytes: [UInt8] = [3, 4]
    let sums = [left + bytes, left + bytes.lazy.map { $0 }, left + bytes[...]]
    for sum in sums {
      #expect(sum == [1, 2, 3, 4])
      #expect(sum.regions[0].address == left.regions[0].address)
    }
    #expect((left + left[1...]).count == 3)
    let array: [UInt8] = left + bytes
    #expect(array == [1, 2, 3, 4])
    #expect(bytes + left == [3, 4, 1, 2])
  }

  @Test("Empty operands change nothing")
  func emptyOperandsChangeNothing() {
    let some = buffer([1], [2])
    #expect((some + .empty).sizes == [1, 1])
    #expect((.empty + some).sizes == [1, 1])
    #expect((DataBuffer.empty + .empty).isEmpty)
  }

  @Test("An append does not change other values")
  func anAppendDoesNotChangeOtherValues() {
    let original = singleBytes(40)
    var first = original
    var second = original
    first.append(DataBuffer([100]))
    second.append(DataBuffer([200]))
    #expect([UInt8](original) == (0..<40).map { UInt8($0) })
    #expect([UInt8](first) == (0..<40).map { UInt8($0) } + [100])
    #expect([UInt8](second) == (0..<40).map { UInt8($0) } + [200])
  }

  @Test("A buffer can be appended to itself")
  func aBufferCanBeAppendedToItself() {
    var bytes = singleBytes(33)
    bytes += bytes
    #expect([UInt8](bytes) == (0..<66).map { UInt8($0 % 33) })
  }

  @Test("Buffers and slices are appended without a copy")
  func buffersAndSlicesAreAppendedWithoutACopy() {
    let whole = buffer([1, 2], [3, 4], [5])
    var bytes = buffer([0])
    bytes.append(contentsOf: whole)
    bytes.append(contentsOf: whole[1..<3])
    #expect([UInt8](bytes) == [0, 1, 2, 3, 4, 5, 2, 3])
    let parts = whole.regions.map(\.address) + whole.subdata(in: 1..<3).regions.map(\.address)
    #expect(bytes.regions.dropFirst().map(\.address) == parts)
  }

  @Test("The buffers of a list are joined")
  func aListOfBuffersIsJoined() {
    let parts = [buffer([1], [2]), .empty, buffer([3, 4]), singleBytes(40)]
    let sum = DataBuffer(concatenating: parts)
    #expect(sum == parts[0] + parts[2] + parts[3])
    #expect(sum.sizes == [1, 1, 2] + Array(repeating: 1, count: 40))
    #expect(DataBuffer(concatenating: []).isEmpty)
    let tracked = TrackedMemory()
    let shown = DataBuffer(concatenating: [tracked.region(0, [1]), tracked.region(1, [2])])
    #expect(shown.regions.map(\.address) == tracked.addresses)
  }

  @Test(
    "A buffer does not depend on the way that it was built",
    arguments: [1, 31, 32, 33, 1023, 1024, 1025, 3000]
  )
  func theWayOfBuildingDoesNotMatter(_ count: Int) {
    let appended = singleBytes(count)
    var prepended = DataBuffer()
    for number in (0..<count).reversed() {
      prepended = singleBytes(1, from: number) + prepended
    }
    let halves = singleBytes(count / 2) + singleBytes(count - count / 2, from: count / 2)
    for other in [prepended, halves] {
      #expect(other == appended)
      #expect(other.regions.count == count)
      #expect([UInt8](other) == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }
  }
}
