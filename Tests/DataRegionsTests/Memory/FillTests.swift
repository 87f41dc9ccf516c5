import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Buffers that a closure fills")
struct FillTests {
  private struct Refusal: Error {}

  private func filled(_ capacity: Int, _ count: Int) -> DataBuffer {
    DataBuffer(rawCapacity: capacity) { span in
      for number in 0..<count { span.append(UInt8(truncatingIfNeeded: number)) }
    }
  }

  @Test("A buffer that fills most of its memory is not copied", arguments: [100, 99, 50])
  func mostOfTheRoomIsShownAsItIs(_ count: Int) {
    let bytes = filled(100, count)
    #expect([UInt8](bytes) == (0..<count).map { UInt8($0) })
    #expect(bytes.sizes == [count])
    #expect(bytes.regions[0].piece.keeper.capacity == 100)
  }

  @Test("A buffer that fills little of its memory is copied", arguments: [1, 49])
  func littleOfTheRoomIsCopied(_ count: Int) {
    let bytes = filled(100, count)
    #expect([UInt8](bytes) == (0..<count).map { UInt8($0) })
    #expect(bytes.regions[0].piece.keeper.capacity == count)
  }

  @Test("Long buffers start at a cache line", arguments: [64 << 10, 100_000, 1 << 20])
  func longBytesStartALineOfTheCache(_ count: Int) {
    #expect(filled(count, count).regions[0].address % 64 == 0)
    #expect(DataBuffer([UInt8](repeating: 1, count: count)).regions[0].address % 64 == 0)
  }

  @Test("A closure that writes nothing gives an empty buffer")
  func nothingWrittenIsAnEmptyBuffer() {
    #expect(filled(100, 0).isEmpty)
    #expect(filled(0, 0).isEmpty)
  }

  @Test("Errors of the closure are rethrown")
  func errorsArePassedOn() {
    #expect(throws: Refusal.self) {
      try DataBuffer(rawCapacity: 10) { (span) throws(Refusal) in
        span.append(1 as UInt8)
        throw Refusal()
      }
    }
  }

  /// Large memory is mapped on its own, so that the size of the process shows what is left of it.
  @Test("Memory is released when the closure throws")
  func memoryIsGivenBackWhenFillingThrows() async {
    await #expect(processExitsWith: .success) {
      struct Refusal: Error {}
      let before = try processSize()
      for _ in 0..<8 {
        _ = try? DataBuffer(rawCapacity: 256 << 20) { _ throws(Refusal) in throw Refusal() }
        _ = DataBuffer(rawCapacity: 256 << 20) { _ in }
        _ = DataBuffer(rawCapacity: 256 << 20) { $0.append(1 as UInt8) }
      }
      let growth = try processSize() - before
      precondition(growth < 512 << 20, "All memory was given back.")
    }
  }
}

/// The bytes of address space that the process has.
private func processSize() throws -> Int {
  var text = [UInt8](repeating: 0, count: 200)
  let file = try openFile("/proc/self/statm")
  let count = try file.borrowed.read(into: &text)
  let pages = text[..<count].split(separator: 32).first.map { String(decoding: $0, as: UTF8.self) }
  return (pages.flatMap { Int($0) } ?? 0) * 4096
}
