import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Misuse of buffers (S45, S53)")
struct MisuseTests {
  @Test("A negative capacity stops the program")
  func aNegativeCapacity() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer(rawCapacity: -1) { _ in }
    }
    expectMessage("The capacity of a buffer is not negative.", from: result)
  }

  @Test("A negative number of appended bytes stops the program")
  func aNegativeNumberOfAppendedBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DataBuffer([1]).appendNegativeCount()
    }
    expectMessage("The number of appended bytes is not negative.", from: result)
  }

  @Test("A negative number of bytes to an address stops the program")
  func aNegativeNumberOfBytesToAnAddress() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1]).copied(toAddress: -1)
    }
    expectMessage("The number of copied bytes is not negative.", from: result)
  }

  @Test("A negative number of bytes to memory stops the program")
  func aNegativeNumberOfBytesToMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1]).copied(toMemoryOf: 2, count: -1)
    }
    expectMessage("The number of copied bytes is not negative.", from: result)
  }

  @Test("A separator without bytes stops the program")
  func aSeparatorWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2]).split(separator: [])
    }
    expectMessage("A separator has at least one byte.", from: result)
  }

  @Test("A negative number of splits stops the program")
  func aNegativeNumberOfSplits() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer([1, 2]).split(separator: 1, maxSplits: -1)
    }
    expectMessage("The number of splits is not negative.", from: result)
  }

  @Test("A sum whose count does not fit in Int stops the program")
  func aSumThatDoesNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer.unreadable(.max - 2)
      bytes.append(DataBuffer([1, 2, 3]))
    }
    expectMessage("The number of bytes of a concatenation fits in Int.", from: result)
  }

  @Test("Raw bytes that do not fit stop the program")
  func rawBytesThatDoNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer.unreadable(.max - 3)
      bytes.append(spanOf: [1])
      bytes.append(spanOf: [2, 3, 4])
    }
    expectMessage("The number of bytes of a concatenation fits in Int.", from: result)
  }

  @Test("Parts that do not fit stop the program")
  func partsThatDoNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bytes = DataBuffer([1])
      for _ in 0..<63 { bytes += bytes }
    }
    expectMessage("The number of bytes of a concatenation fits in Int.", from: result)
  }

  @Test("An owner's range beyond its memory stops the program")
  func anOwnersRangeBeyondItsMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = DataBuffer(owner: CountedOwner(capacity: 4), range: 2..<5)
    }
    expectMessage("The range of a region lies inside its owner's memory.", from: result)
  }

  @Test("A region without bytes stops the program")
  func aRegionWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Piece(owner: CountedOwner(capacity: 4), range: 2..<2)
    }
    expectMessage("A region has at least one byte.", from: result)
  }

  @Test("A part of a region without bytes stops the program")
  func aPartOfARegionWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Piece(owner: CountedOwner(capacity: 4), range: 0..<2).trimmed(to: 1..<1)
    }
    expectMessage("A part of a region is not empty and lies inside it.", from: result)
  }

  @Test("A copy into too little memory stops the program")
  func aCopyIntoTooLittleMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CopiedBytes(capacity: 2).copy([1, 2], at: 1)
    }
    expectMessage("Copied bytes lie inside their place.", from: result)
  }

  @Test("Memory that was not mapped stops the program")
  func memoryThatWasNotMapped() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DataBuffer.unmapping(oneBehind: 4096)
    }
    expectMessage("Memory that a buffer unmaps was mapped from its first byte on.", from: result)
  }

  @Test("A mapping without bytes stops the program")
  func aMappingWithoutBytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try FileMapping(BorrowedDescriptor(rawValue: 0), 5..<5)
    }
    expectMessage("A mapped part of a file has bytes and starts inside of it.", from: result)
  }

  /// Sizes near the largest number work as long as nobody reads.
  @Test("Sizes near the largest Int work")
  func sizesNearTheLimit() {
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
