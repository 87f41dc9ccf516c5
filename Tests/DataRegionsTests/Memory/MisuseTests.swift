import IOChannelsSystem
import Testing

@testable import DataRegions

/// S45 and S53: misuse stops with a sentence.
@Suite struct MisuseTests {
  @Test func aNegativeCapacity() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer(rawCapacity: -1) { _ in }
    }
    #expect(result.says("The capacity of a buffer is not negative."))
  }

  @Test func aSeparatorWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2]).split(separator: [])
    }
    #expect(result.says("A separator has at least one byte."))
  }

  @Test func aNegativeNumberOfSplits() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2]).split(separator: 1, maxSplits: -1)
    }
    #expect(result.says("The number of splits is not negative."))
  }

  @Test func aSumThatDoesNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer.unreadable(.max - 2)
      bytes.append(DataBuffer([1, 2, 3]))
    }
    #expect(result.says("The number of bytes of a concatenation fits in Int."))
  }

  @Test func rawBytesThatDoNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer.unreadable(.max - 3)
      bytes.append(spanOf: [1])
      bytes.append(spanOf: [2, 3, 4])
    }
    #expect(result.says("The number of bytes of a concatenation fits in Int."))
  }

  @Test func partsThatDoNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer([1])
      for _ in 0..<63 { bytes += bytes }
    }
    #expect(result.says("The number of bytes of a concatenation fits in Int."))
  }

  @Test func anOwnersRangeBeyondItsMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer(owner: CountedOwner(capacity: 4), range: 2..<5)
    }
    #expect(result.says("The range of a region lies inside its owner's memory."))
  }

  @Test func aRegionWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Piece(owner: CountedOwner(capacity: 4), range: 2..<2)
    }
    #expect(result.says("A region has at least one byte."))
  }

  @Test func aPartOfARegionWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Piece(owner: CountedOwner(capacity: 4), range: 0..<2).trimmed(to: 1..<1)
    }
    #expect(result.says("A part of a region is not empty and lies inside it."))
  }

  @Test func aCopyIntoTooLittleMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CopiedBytes(capacity: 2).copy([1, 2], at: 1)
    }
    #expect(result.says("Copied bytes lie inside their place."))
  }

  @Test func memoryThatWasNotMapped() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DataBuffer.unmapping(oneBehind: 4096)
    }
    #expect(result.says("Memory that a buffer unmaps was mapped from its first byte on."))
  }

  @Test func aMappingWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try FileMapping(BorrowedDescriptor(rawValue: 0), 5..<5)
    }
    #expect(result.says("A mapped part of a file has bytes and starts inside of it."))
  }

  /// Sizes near the largest number work as long as nobody reads.
  @Test func sizesNearTheLimit() {
    let huge = DataBuffer.unreadable(.max - 2)
    let sum = huge + DataBuffer([7, 8])
    #expect(sum.count == .max)
    #expect(sum[.max - 1] == 8)
    #expect(sum.subdata(in: Int.max - 4 ..< .max).sizes == [2, 2])
    #expect(sum.split(at: .max - 2).tail == [7, 8])
    #expect(sum.region(containing: .max - 1).offset == .max - 2)
    #expect(sum.firstIndex(of: 8, in: Int.max - 2 ..< .max) == .max - 1)
    #expect(sum.firstRange(of: [7, 8], in: Int.max - 2 ..< .max) == Int.max - 2 ..< .max)
    #expect(sum.lastRange(of: [7, 8]) == Int.max - 2 ..< .max)
    #expect(sum[(Int.max - 1)...].lastIndex(of: 8) == .max - 1)
    #expect(sum.compacted().sizes == sum.sizes)
    #expect(sum.copied(room: 3, from: Int.max - 2 ..< .max).bytes == [7, 8, 99])
    var full = sum.subdata(in: 1 ..< .max)
    full.append(spanOf: [9])
    #expect(full.count == .max && full[.max - 1] == 9)
  }
}
