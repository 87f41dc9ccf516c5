import DataRegions
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Engines")
struct EngineTests {
  private static let engines = ["uring", "threads"]

  private func engine(_ setting: String) throws -> Engine {
    if setting == "uring" { try Need.ring.orSkip() }
    return Engine(setting: setting)
  }

  @Test("The backend of the choice carries the bytes", .needs(.loop), arguments: engines)
  func theBackendOfTheChoiceCarriesTheBytes(setting: String) async throws {
    let engine = try engine(setting)
    let image = try LoopImage(.ext4, megabytes: 32)
    let file = try openFile("\(image.path)/file", [.readWrite, .create])
    let traits = try DescriptorTraits(of: file.borrowed)
    #expect(traits.fileSystem == .ext4)
    let answers = Answers()
    let content = [UInt8](repeating: 7, count: 1 << 20)
    let write = Request(
      .write(DataBuffer(content)),
      descriptor: file.borrowed,
      traits: traits,
      offset: 0,
      tag: 0,
      owner: answers
    )
    engine.submit(write)
    #expect(await answers.results(1)[0] == .success(1 << 20))
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1 << 20))
    let read = Request(
      .read(buffer, 0..<1 << 20),
      descriptor: file.borrowed,
      traits: traits,
      offset: 0,
      tag: 1,
      owner: answers
    )
    engine.submit(read)
    #expect(await answers.results(2)[1] == .success(1 << 20))
    #expect([UInt8](buffer.filled(0..<1 << 20)) == content)
    let counts = engine.counts
    let isRing = setting == "uring"
    #expect(counts.ringBytesRead == (isRing ? 1 << 20 : 0))
    #expect(counts.ringBytesWritten == (isRing ? 1 << 20 : 0))
    #expect(counts.threadBytesRead == (isRing ? 0 : 1 << 20))
    #expect(counts.threadBytesWritten == (isRing ? 0 : 1 << 20))
  }

  @Test(
    "A forced route is taken whatever the table has",
    arguments: [RoutingPreference.ring, .pool]
  )
  func aForcedWayIsTakenWhateverTheTableSays(way: RoutingPreference) async throws {
    try Need.ring.orSkip()
    let engine = Engine(setting: nil, routing: way)
    let directory = try TemporaryDirectory()
    let path = try directory.write([UInt8](repeating: 1, count: 4096), to: "file")
    let file = try openFile(path, [.readWrite])
    let traits = try DescriptorTraits(of: file.borrowed)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 4096))
    let answers = Answers()
    let transfers: [Request.Operation] = [
      .read(buffer, 0..<4096), .write(DataBuffer([UInt8](repeating: 2, count: 4096))),
    ]
    for (tag, transfer) in transfers.enumerated() {
      let request = Request(
        transfer,
        descriptor: file.borrowed,
        traits: traits,
        offset: 0,
        tag: tag,
        owner: answers
      )
      engine.submit(request)
    }
    #expect(await answers.results(2).values.allSatisfy { $0 == .success(4096) })
    // The table sends the two apart where reads stay on the ring, and both to the pool elsewhere.
    #expect(engine.counts.ringRequests == (way == .ring ? 2 : 0))
    #expect(engine.counts.threadRequests == (way == .pool ? 2 : 0))
  }

  @Test("More requests than the ring holds are all completed", arguments: engines)
  func moreRequestsThanTheRingHolds(setting: String) async throws {
    let engine = try engine(setting)
    let directory = try TemporaryDirectory()
    let path = try directory.write([UInt8](repeating: 9, count: 4096), to: "file")
    let file = try openFile(path)
    let traits = try DescriptorTraits(of: file.borrowed)
    let answers = Answers()
    let count = Tier.count(quick: 10_000, full: 100_000)
    for tag in 0..<count {
      let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
      let request = Request(
        .read(buffer, 0..<1),
        descriptor: file.borrowed,
        traits: traits,
        offset: Int64(tag % 4096),
        tag: tag,
        owner: answers
      )
      engine.submit(request)
    }
    let results = await answers.results(count)
    #expect(results.values.allSatisfy { $0 == .success(1) })
  }

  @Test("A waiting read can be cancelled", arguments: engines)
  func aWaitingReadCanBeCancelled(setting: String) async throws {
    let engine = try engine(setting)
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let answers = Answers()
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let request = Request(
      .read(buffer, 0..<1),
      descriptor: ends.reading.borrowed,
      traits: traits,
      offset: nil,
      tag: 0,
      owner: answers
    )
    engine.submit(request)
    engine.cancel(request)
    #expect(await answers.results(1)[0] == .failure(.canceled))
  }
}
