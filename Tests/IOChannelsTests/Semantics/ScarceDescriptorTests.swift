import DataRegions
import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@Suite("Waits without free descriptors (S322)")
struct ScarceDescriptorTests {
  /// More than wait on a ring with their reads and writes.
  private static let count = 1500

  private static let data = DataBuffer(pattern(512 << 10))

  /// A channel of one end of two sockets.
  private struct Place {
    let channel: IOChannel
    let peer: BorrowedDescriptor
    let trace = Trace()

    init(_ engine: Engine) async throws {
      let ends = try PipeEnds(socketsWithMessages: false).handedOut()
      peer = BorrowedDescriptor(rawValue: ends.writing)
      channel = IOChannel(
        type: .stream,
        fileDescriptor: ends.reading,
        engine: engine,
        queue: trace.queue,
        cleanupHandler: { _ in }
      )
      channel.setLimit(lowWater: data.count)
      await channel.isMade()
    }

    /// Has a read and a write wait.
    func begin() {
      channel.read(offset: 0, length: 6, queue: trace.queue, ioHandler: trace.handler("r"))
      channel.write(offset: 0, data: data, queue: trace.queue, ioHandler: trace.handler("w"))
    }

    /// Ends both.
    func end() async throws {
      let sent = try peer.write(pattern(6), 0..<6)
      #expect(sent == 6)
      #expect(await trace.entries(1) == [.delivery(of: "r", done: true, bytes: 6)])
      var bytes = [UInt8](repeating: 0, count: data.count)
      var received = 0
      while received < data.count { received += try peer.read(into: &bytes) }
      #expect(await trace.entries(2).last == .delivery(of: "w", done: true, bytes: nil))
    }
  }

  private static func wait(for count: Int, _ engine: Engine) async {
    while engine.report(stuckAfter: .zero).inFlightCount < count { await Task.yield() }
  }

  private static func waitOnAll(_ backend: TestBackend) async throws {
    // A wait that never begins or ends has the process end by a signal.
    alarm(UInt32(120 * Tier.patience))
    let engine = try backend.makeEngine()
    let former = try limitDescriptors(to: 2 * count + 500)
    if former > 2 * count + 500 { _ = try limitDescriptors(to: former) }
    var places: [Place] = []
    for _ in 0...count { places.append(try await Place(engine)) }
    // The first waits need descriptors of the engine.
    places[count].begin()
    await wait(for: 2, engine)
    // The few that stay free are for the threads of Swift's tasks, which examine each other.
    let free = try places[0].peer.duplicate()
    _ = try limitDescriptors(to: Int(free.rawValue) + 8)
    for place in places.dropLast() { place.begin() }
    await wait(for: 2 * places.count, engine)
    for place in places { try await place.end() }
  }

  @Test("A ring and its threads need one descriptor for each socket", .needs(.ring))
  func ring() async {
    await #expect(processExitsWith: .success) {
      try await ScarceDescriptorTests.waitOnAll(.ring)
    }
  }

  @Test("Threads need one descriptor for each socket")
  func threads() async {
    await #expect(processExitsWith: .success) {
      try await ScarceDescriptorTests.waitOnAll(.threads)
    }
  }
}
