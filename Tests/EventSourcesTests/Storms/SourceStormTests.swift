import CIOChannelsTestSupport
import Foundation
import Synchronization
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Storms of sources", .serialized)
struct SourceStormTests {
  /// The number of open descriptors of the process.
  private var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  @Test("Sources that come and go on numbers that are used again see no strange event")
  func reusedNumbers() async throws {
    let count = Tier.count(quick: 2_000, full: 20_000)
    let queue = WorkQueue(label: "storm", attributes: .concurrent)
    let strangers = Atomic<Int>(0)
    let events = Atomic<Int>(0)
    let group = WorkGroup()
    let limiter = CountingSemaphore(value: 64)
    for index in 0..<count {
      try await reach { limiter.wait(timeout: .now()) == .success }
      group.enter()
      queue.async {
        let ends = ct_pipe()
        let source = EventSource.makeReadSource(fileDescriptor: ends.reading, queue: queue)
        let size = 1 + index % 7
        source.setEventHandler {
          events.add(1, ordering: .relaxed)
          if Int(source.data) != size { strangers.add(1, ordering: .relaxed) }
          source.cancel()
        }
        source.setCancelHandler {
          ct_close(ends.reading)
          ct_close(ends.writing)
          limiter.signal()
          group.leave()
        }
        source.activate()
        let bytes = [UInt8](repeating: 1, count: size)
        let writing = BorrowedDescriptor(rawValue: ends.writing)
        // Every third source is cancelled without an event.
        if index % 3 == 0 { source.cancel() } else { _ = try? writing.write(bytes, 0..<size) }
      }
    }
    try await completion(of: group)
    #expect(strangers.load(ordering: .relaxed) == 0)
    #expect(events.load(ordering: .relaxed) == count - (count + 2) / 3)
  }

  @Test("Two thousand sources at once fire, and leave no descriptor behind")
  func manyAtOnce() async throws {
    let limit = ct_limit_descriptors(8192)
    defer { _ = ct_limit_descriptors(limit) }
    let before = descriptors
    let trace = Trace()
    let count = 2_000
    let fired = WorkGroup()
    let cancelled = WorkGroup()
    var pipes: [ct_pipe_ends] = []
    var sources: [ReadSource] = []
    for _ in 0..<count {
      let ends = ct_pipe()
      try #require(ends.reading >= 0)
      pipes.append(ends)
      fired.enter()
      cancelled.enter()
      let source = EventSource.makeReadSource(fileDescriptor: ends.reading, queue: trace.queue)
      source.setEventHandler { [unowned source] in
        fired.leave()
        source.cancel()
      }
      source.setCancelHandler { cancelled.leave() }
      source.activate()
      sources.append(source)
    }
    for ends in pipes {
      _ = try BorrowedDescriptor(rawValue: ends.writing).write([1], 0..<1)
    }
    try await completion(of: fired)
    try await completion(of: cancelled)
    for ends in pipes {
      ct_close(ends.reading)
      ct_close(ends.writing)
    }
    // Other suites of the process open and close some of their own meanwhile.
    #expect(abs(descriptors - before) < 200)
  }
}
