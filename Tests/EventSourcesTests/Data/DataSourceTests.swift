import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Data sources")
struct DataSourceTests {
  /// Returns the data of the one call that follows merges while the source is suspended.
  private func merged(
    _ merging: DataSource.Merging,
    _ values: [UInt]
  ) async throws -> [TraceEntry] {
    let trace = Trace()
    let source = DataSource(merging: merging, queue: trace.queue)
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    source.suspend()
    for value in values { source.merge(value) }
    source.resume()
    _ = await trace.drained()
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    return trace.entries.dropLast()
  }

  @Test("Sums, unions and latest values are merged by their rules; 0 is no event")
  func rules() async throws {
    #expect(try await merged(.adding, [1, 2, 3, 4]) == [.event(10)])
    #expect(try await merged(.adding, [1, .max]) == [])
    #expect(try await merged(.adding, [0]) == [])
    #expect(try await merged(.or(), [1, 4, 4]) == [.event(5)])
    #expect(try await merged(.or(mask: 4), [1, 4, 3]) == [.event(4)])
    #expect(try await merged(.or(mask: 4), [1, 2]) == [])
    #expect(try await merged(.replacing, [1, 4]) == [.event(4)])
    #expect(try await merged(.replacing, [4, 0]) == [])
  }

  @Test(
    "Each rule has a call of its own (S243)",
    arguments: [DataSource.Merging.adding, .or(), .replacing]
  )
  func ownRule(merging: DataSource.Merging) async throws {
    let trace = Trace()
    let source = DataSource(merging: merging, queue: trace.queue)
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    source.activate()
    switch merging {
    case .adding: source.add(data: 3)
    case .or: source.or(data: 3)
    case .replacing: source.replace(data: 3)
    }
    try await trace.reach { $0 == [.event(3)] }
    source.cancel()
  }

  @Test("The handler does not overlap itself on a concurrent queue, and no data are lost")
  func concurrentQueue() async throws {
    let queue = WorkQueue(label: "concurrent", attributes: .concurrent)
    let source = EventSource.makeUserDataAddSource(queue: queue)
    let inside = BargingLock((now: 0, most: 0, sum: UInt(0)))
    source.setEventHandler { [unowned source] in
      inside.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      inside.withLock { state in
        state.sum += source.data
        state.now -= 1
      }
    }
    let end = WorkGroup()
    end.enter()
    source.setCancelHandler { end.leave() }
    source.activate()
    let count = 20_000
    let mergers = WorkGroup()
    for _ in 0..<4 {
      queue.async(group: mergers) { for _ in 0..<count { source.add(data: 1) } }
    }
    try await completion(of: mergers)
    try await reach { inside.withLock { $0.sum } >= 4 * UInt(count) }
    source.cancel()
    try await completion(of: end)
    #expect(inside.withLock { $0.most } == 1)
    #expect(inside.withLock { $0.sum } == 4 * UInt(count))
  }

  @Test("Handle, mask and data are those of the source")
  func properties() async throws {
    let source = DataSource(merging: .or(mask: 5))
    #expect(source.mask == 5 && source.data == 0)
    source.activate()
    source.cancel()
    #expect(source.mask == 0)
  }
}
