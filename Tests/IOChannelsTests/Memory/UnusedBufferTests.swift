import IOChannelsTestSupport
import Testing

@testable import IOChannels
@testable import IOChannelsEngine

@Suite("Unused buffers")
struct UnusedBufferTests {
  @Test("Unused buffers are freed, and lent ones are not")
  func freed() throws {
    let pool = BufferPool(cachedBytesLimit: 1 << 20)
    let lent = try #require(pool.makeBuffer(atLeast: 4096))
    for _ in 0..<2 { _ = pool.makeBuffer(atLeast: 65536) }
    #expect(pool.freeUnused() == 65536)
    #expect(pool.freeUnused() == 0)
    withExtendedLifetime(lent) {}
  }

  @Test("Channels go on after their buffers were freed")
  func channels() async throws {
    let place = try TemporaryDirectory()
    let path = try place.write([UInt8](repeating: 7, count: 1 << 20), to: "file")
    for _ in 0..<2 {
      let count = try await IOChannel.withOpen(BytePath(path)) { channel in
        try await channel.read(length: 1 << 20).count
      }
      #expect(count == 1 << 20)
      // Other tests of the process use the same pool.
      #expect(IOEngine.freeUnusedBuffers() >= 0)
    }
  }
}
