import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Page buffers")
struct PageBufferTests {
  @Test(
    "A page buffer starts a page and holds zeros",
    arguments: [1, 4096, (64 << 10) + 1, 256 << 10]
  )
  func start(count: Int) {
    let buffer = PageBuffer(count: count)
    #expect(buffer.count == count && buffer.span.count == count)
    let address = unsafe buffer.bytes(0..<count).withUnsafeBytes {
      Int(bitPattern: $0.baseAddress)
    }
    #expect(address % 4096 == 0)
    var sum = 0
    for index in buffer.span.indices { sum += Int(buffer.span[index]) }
    #expect(sum == 0)
  }

  @Test("A part is read and written, and nothing beside it")
  func parts() throws {
    let place = try TemporaryDirectory()
    let file = try openFile(try place.write([1, 2, 3, 4, 5], to: "file"), .readWrite)
    var buffer = PageBuffer(count: 8)
    #expect(try file.borrowed.read(into: &buffer, 2..<5) == 3)
    #expect(content(of: buffer) == [0, 0, 1, 2, 3, 0, 0, 0])
    #expect(try file.borrowed.read(into: &buffer, count: 4, at: 3) == 2)
    #expect(content(of: buffer) == [4, 5, 1, 2, 3, 0, 0, 0])
    #expect(try file.borrowed.write(buffer.bytes(1..<3), at: 0) == 2)
    #expect(try file.borrowed.read(into: &buffer, count: 8, at: 0) == 5)
    #expect(content(of: buffer) == [5, 1, 3, 4, 5, 0, 0, 0])
  }

  private func content(of buffer: borrowing PageBuffer) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in buffer.span.indices { bytes.append(buffer.span[index]) }
    return bytes
  }
}
