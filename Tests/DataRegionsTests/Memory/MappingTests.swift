import Glibc
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Mapped files (S51)")
struct MappingTests {
  private let directory: TemporaryDirectory
  private let content = pattern(3 * 4096 + 100)

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func mapped(_ range: Range<Int>?) throws -> DataBuffer {
    let file = try openFile(directory.write(content, to: "file"))
    return try DataBuffer(mapping: file, range: range)
  }

  @Test("A complete file is one region")
  func aWholeFileIsOneRegion() throws {
    let bytes = try mapped(nil)
    #expect(bytes.sizes == [content.count])
    #expect([UInt8](bytes) == content)
  }

  @Test(
    "A mapping may begin and end at any offset",
    arguments: [0..<1, 1..<2, 4095..<4097, 4096..<8192, 5000..<12_388, 12_387..<12_388]
  )
  func anyOffsetsWillDo(_ range: Range<Int>) throws {
    #expect([UInt8](try mapped(range)) == Array(content[range]))
  }

  @Test("A mapping ends at the end of the file")
  func whatLiesBehindTheEndIsLeftOut() throws {
    #expect([UInt8](try mapped(12_380..<20_000)) == Array(content[12_380...]))
    #expect(try mapped(12_388..<Int.max).isEmpty)
    #expect(try mapped(20_000..<Int.max).isEmpty)
    #expect(try mapped(50..<50).isEmpty)
  }

  @Test("An empty file is an empty buffer")
  func anEmptyFileIsAnEmptyBuffer() throws {
    let file = try openFile(directory.write([], to: "empty"))
    #expect(try DataBuffer(mapping: file.borrowed).isEmpty)
  }

  @Test("The file is unmapped after the last use")
  func theFileIsUnmappedAfterTheLastUse() throws {
    var part = try mapped(nil).subdata(in: 4096..<4100)
    let page = part.regions[0].address / 4096 * 4096
    #expect(isMapped(page))
    #expect([UInt8](part) == Array(content[4096..<4100]))
    part = .empty
    #expect(!isMapped(page))
  }

  @Test("A file that cannot be mapped is an error")
  func whatCannotBeMappedIsAnError() throws {
    #expect(throws: SystemError.invalidArgument) { try mapped(-1..<5) }
    #expect(throws: SystemError.isDirectory) {
      try DataBuffer(mapping: openFile(directory.path))
    }
    #expect(throws: SystemError.noSuchDevice) {
      try DataBuffer(mapping: openFile("/dev/null"))
    }
    #expect(throws: SystemError.badFileDescriptor) {
      try DataBuffer(mapping: BorrowedDescriptor(rawValue: -1))
    }
    let path = try directory.write([1], to: "unreadable")
    #expect(throws: SystemError.permissionDenied) {
      try DataBuffer(mapping: openFile(path, .writeOnly))
    }
  }

  /// The documented price of mapping a file that somebody else cuts.
  @Test("A file that is truncated ends its reader by SIGBUS")
  func aFileCutShorterEndsItsReader() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) {
      let directory = try TemporaryDirectory()
      let file = try openFile(
        directory.write(pattern(8192), to: "file"),
        .readWrite
      )
      let bytes = try DataBuffer(mapping: file.borrowed)
      try file.borrowed.setSize(100)
      precondition(bytes[99] == pattern(100)[99])
      _ = bytes[5000]
    }
  }

  @Test("A compact copy keeps only its bytes")
  func compactingKeepsOnlyWhatIsShown() throws {
    let all = try mapped(nil)
    #expect(all.compacted().regions[0].address == all.regions[0].address)
    let few = try mapped(10..<20)
    #expect(few.regions[0].piece.keeper.keptByteCount == 4096)
    #expect(few.compacted().regions[0].piece.keeper.keptByteCount == 10)
    #expect(few.compacted() == few)
  }
}
