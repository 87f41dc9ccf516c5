import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Ring set")
struct RingSetTests {
  @Test("One ring serves eight processors")
  func thereIsARingForEightProcessors() {
    let counts = [1, 2, 8, 15, 16, 64, 500].map { RingSet.count(processors: $0) }
    #expect(counts == [1, 1, 1, 1, 2, 8, 8])
  }

  @Test("A device has one ring, and other descriptors are spread")
  func aDeviceHasOneRingAndDescriptorsSpread() {
    let answers = Answers()
    func index(_ device: UInt64, _ number: Int32, _ count: Int = 8) -> Int {
      let request = Request(
        .close,
        descriptor: BorrowedDescriptor(rawValue: number),
        traits: DescriptorTraits(kind: .seekable, fileSystem: .other, device: device),
        tag: 0,
        owner: answers
      )
      return RingSet.index(device: request.device, count: count)
    }
    for device in UInt64(1)...100 {
      #expect(Set((0..<50).map { index(device, $0) }).count == 1)
      #expect(index(device, 0, 1) == 0)
    }
    for count in 1...8 {
      #expect(Set((0..<64).map { index(0, $0, count) }) == Set(0..<count))
      #expect(Set((0..<64).map { index(0x800 + UInt64($0), 0, count) }) == Set(0..<count))
    }
    #expect((0..<8).contains(index(.max, -100)))
  }

  @Test("A ring is created with its first request", .needs(.ring))
  func ringsAreMadeWithTheirFirstRequest() async throws {
    let statistics = Statistics()
    let threads = ThreadBackend(pool: .transfers, statistics: statistics)
    let set = RingSet(count: 8, threads: threads, statistics: statistics)
    #expect(set.ringCount == 0)
    let answers = Answers()
    let file = try openFile("/dev/null")
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    /// A read of nothing, as of a file on a device of its own.
    func read(_ tag: Int) -> Request {
      Request(
        .read(buffer, 0..<1),
        descriptor: file.borrowed,
        traits: DescriptorTraits(kind: .seekable, fileSystem: .ext4, device: 0x800 + UInt64(tag)),
        tag: tag,
        owner: answers
      )
    }
    for tag in 0..<64 {
      set.submit(read(tag))
      if tag == 0 { #expect(set.ringCount == 1) }
    }
    let results = await answers.results(64)
    #expect(results.values.allSatisfy { $0 == .success(0) })
    #expect(set.ringCount == 8)
    #expect(statistics.counts.ringRequests == 64)
  }
}
