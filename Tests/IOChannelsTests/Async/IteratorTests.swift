import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Iterators")
struct IteratorTests {
  @MainActor
  @Test("Copies of an iterator advance on their own", arguments: TestBackend.allCases)
  func copiesOfAnIteratorWalkOnTheirOwn(backend: TestBackend) async throws {
    let whole = DataBuffer(pattern(2_500_000))
    let file = try FileOfBytes([UInt8](whole))
    let place = try AsyncPlace(backend, .random, file.opened())
    var pieces = place.channel.chunks().makeAsyncIterator()
    let head = try await pieces.next() ?? .empty
    // Both have the piece that is read ahead.
    let walks = [pieces, pieces].map { copy in
      Task { @MainActor in
        var copy = copy
        var rest = DataBuffer.empty
        while let piece = try await copy.next() { rest.append(piece) }
        return rest
      }
    }
    for walk in walks {
      let rest = try await walk.value
      #expect(rest == whole.subdata(in: head.count..<whole.count))
    }
    await place.close()
  }
}
