import DataRegions
import Testing

@Suite struct MisuseTests {
  @Test func aRangeBeyondTheEnd() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 1..<4)
    }
  }

  @Test func aRangeBeforeTheStart() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).subdata(in: -1..<1)
    }
  }

  @Test func anEmptyRangeOutside() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).subdata(in: 4..<4)
    }
  }

  @Test func aSplitBeyondTheEnd() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).split(at: 4)
    }
  }

  @Test func aByteBeyondTheEnd() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3])[3]
    }
  }

  @Test func aByteBeforeTheStart() async {
    await #expect(processExitsWith: .failure) {
      _ = (DataBuffer([1, 2]) + DataBuffer([3]))[-1]
    }
  }

  @Test func aRegionBeyondTheLast() async {
    await #expect(processExitsWith: .failure) {
      _ = (DataBuffer([1, 2]) + DataBuffer([3])).regions[2]
    }
  }

  @Test func aCopyOfARangeBeyondTheEnd() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer([1, 2, 3]).copied(room: 2, from: 3..<5)
    }
  }

  @Test func anOwnersRangeBeyondItsMemory() async {
    await #expect(processExitsWith: .failure) {
      _ = DataBuffer(owner: CountedOwner(capacity: 4), range: 2..<5)
    }
  }

  @Test func moreBytesThanFitInInt() async {
    await #expect(processExitsWith: .success) {
      var bytes = DataBuffer([1])
      for _ in 0..<62 { bytes += bytes }
      precondition(bytes.count == 1 << 62 && bytes[bytes.count - 1] == 1)
    }
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      var bytes = DataBuffer([1])
      for _ in 0..<63 { bytes += bytes }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("fits in Int"))
  }
}
