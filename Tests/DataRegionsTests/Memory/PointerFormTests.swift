import DataRegions
import Dispatch
import IOChannelsTestSupport
import Synchronization
import Testing

/// Each test passes the same bytes and arguments to a `DispatchData`.
@Suite("Members that take pointers, as those of DispatchData (S218)")
struct PointerFormTests {
  private static let shapes: [[[UInt8]]] = [
    [], [[7]], [[1, 2, 3], [4], [5, 6]], [[0, 1, 2, 3, 4], [5], [6, 7, 8]],
    (0..<70).map { [$0] },
  ]

  /// The bytes in both types; the ends of the longer ones are cut off, so that regions are parts.
  private func both(_ regions: [[UInt8]]) -> (ours: DataBuffer, theirs: DispatchData) {
    let (ours, theirs) = (DataBuffer(regions: regions), DispatchData(regions: regions))
    guard ours.count > 6 else { return (ours, theirs) }
    let range = 1..<ours.count - 1
    return (ours.subdata(in: range), theirs.subdata(in: range))
  }

  /// The ranges whose ends are near the ends of the bytes or of a region.
  private func ranges(in count: Int) -> [Range<Int>] {
    let ends = (0...count).filter { $0 < 10 || $0 > count - 3 }
    return ends.flatMap { start in ends.filter { $0 >= start }.map { start..<$0 } }
  }

  @Test("Bytes are copied from memory", arguments: [0, 1, 3, 5_000])
  func creation(_ count: Int) {
    let bytes = pattern(count)
    let expected = DispatchData.copying(bytes).enumerated()
    #expect(DataBuffer.copying(typed: bytes).enumerated() == expected)
    #expect(DataBuffer.copying(bytes).enumerated() == expected)
  }

  @Test("Memory that is not copied is released once", arguments: [0, 1, 3])
  func creationWithoutACopy(_ count: Int) {
    let released = Mutex<[UInt]>([])
    var (address, buffer) = DataBuffer.showing(typed: pattern(count)) { address, released_ in
      #expect(released_ == count)
      released.withLock { $0.append(address) }
    }
    #expect([UInt8](buffer) == pattern(count))
    if count > 0 { #expect(buffer.shownBytes.address == address) }
    #expect(released.withLock { $0 } == (count > 0 ? [] : [address]))
    buffer = .empty
    #expect(released.withLock { $0 } == [address])
  }

  @Test("Bytes and values are appended", arguments: shapes)
  func appends(_ regions: [[UInt8]]) {
    var (ours, theirs) = both(regions)
    for count in [0, 1, 3, 300] {
      ours.append(counted: pattern(count))
      theirs.append(counted: pattern(count))
      ours.append(values: (0..<count).map { UInt32($0) * 70_000 })
      theirs.append(values: (0..<count).map { UInt32($0) * 70_000 })
      ours.append(ours)
      theirs.append(theirs)
    }
    #expect([UInt8](ours) == theirs.enumerated().flatMap(\.bytes))
  }

  @Test("Regions are enumerated until the function stops", arguments: shapes)
  func enumeration(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for limit in [1, 2, 33, .max] { #expect(ours.enumerated(limit) == theirs.enumerated(limit)) }
  }

  @Test("The region at a location is the same", arguments: shapes)
  func regionAtALocation(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for location in ours.indices {
      let (mine, other) = (ours.region(location: location), theirs.region(location: location))
      #expect(mine.offset == other.offset)
      #expect(mine.data.enumerated() == other.data.enumerated())
    }
  }

  /// Dispatch stops the program for an empty buffer.
  @Test("Bytes are shown as values of another type", arguments: shapes)
  func typedPointer(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    if ours.isEmpty {
      #expect(ours.values(of: UInt8.self).isEmpty)
      #expect(ours.typedAddress(of: UInt64.self) % 8 == 0)
    } else {
      #expect(ours.values(of: UInt8.self) == theirs.values(of: UInt8.self))
      #expect(ours.values(of: UInt16.self) == theirs.values(of: UInt16.self))
      #expect(ours.values(of: UInt32.self) == theirs.values(of: UInt32.self))
    }
  }

  @Test("A range is a slice of the standard library where its type is declared", arguments: shapes)
  func standardSlice(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for range in ranges(in: ours.count) {
      let (mine, other) = (ours.sliced(range), theirs.sliced(range))
      #expect(mine.indices == other.indices && mine.bytes == other.bytes)
      #expect(mine.whole == other.whole)
      #expect(ours[range].base == ours)
    }
  }

  @Test("A count of bytes is copied", arguments: shapes)
  func copiedCounts(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for count in 0...ours.count + 2 {
      #expect(ours.copied(toAddress: count) == theirs.copied(toAddress: count))
      for size in count...count + 2 {
        let expected = theirs.copied(toMemoryOf: size, count: count)
        #expect(ours.copied(toMemoryOf: size, count: count) == expected)
      }
    }
  }

  @Test("A count of bytes is copied only as far as the memory reaches (S50)")
  func copiedCountBeyondTheMemory() {
    let bytes = DataBuffer(regions: [[1, 2], [3, 4]])
    #expect(bytes.copied(toMemoryOf: 3, count: 4) == [1, 2, 3])
    #expect(bytes.copied(toMemoryOf: 0, count: 4) == [])
  }

  @Test("Ranges are copied", arguments: shapes)
  func copiedRanges(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for range in ranges(in: ours.count) {
      let expected = theirs.copied(toAddressFrom: range)
      #expect(ours.copied(toAddressFrom: range) == expected)
      // Dispatch stops the program for a range at the end.
      if range.lowerBound == ours.count { continue }
      for size in 0...3 {
        let expected = theirs.copied(toIntegers: size, from: range)
        #expect(ours.copied(toIntegers: size, from: range) == expected)
      }
    }
  }

  @Test("All bytes are copied as far as the memory reaches", arguments: shapes)
  func copiedBytes(_ regions: [[UInt8]]) {
    let (ours, theirs) = both(regions)
    for size in [0, 1, 2, 3, 100] {
      let expected = theirs.copied(toIntegers: size, from: nil)
      #expect(ours.copied(toIntegers: size, from: nil) == expected)
    }
    #expect(ours.copied(toIntegers: 3, from: ours.count..<ours.count).count == 0)
  }

  @Test("An iterator is a sequence")
  func iterator() {
    var iterator = DataBuffer(regions: [[1, 2], [3]]).makeIterator()
    #expect(iterator.next() == 1)
    #expect(Array(iterator) == [2, 3])
  }
}
