import CIOChannelsTestSupport
import IOChannelsLocks
import IOChannelsTestSupport
import Synchronization
import Testing

@testable import EventSources

@Suite("Sockets on numbers that are used again")
struct ReusedSocketTests {
  @Test("Two sources of a socket receive all of its events and no other ones")
  func twoSources() async throws {
    let count = Tier.count(quick: 2_000, full: 20_000)
    let queue = WorkQueue(label: "sockets", attributes: .concurrent)
    let results = SocketResults()
    let limiter = CountingSemaphore(value: 64)
    for number in 0..<count {
      try await reach { limiter.wait(timeout: .now()) == .success }
      results.group.enter()
      queue.async {
        let socket = NumberedSocket(number: number, results) { limiter.signal() }
        socket.watch(on: queue, cancelsAtOnce: number % 5 == 0)
      }
    }
    try await completion(of: results.group)
    #expect(results.failures == [:])
    #expect(results.transfers == count - (count + 4) / 5)
  }
}

/// The results of many sockets.
private final class SocketResults: Sendable {
  let group = WorkGroup()
  private let state = BargingLock((transfers: 0, failures: [String: Int]()))

  var transfers: Int { state.withLock { $0.transfers } }
  var failures: [String: Int] { state.withLock { $0.failures } }

  func countTransfer() { state.withLock { $0.transfers += 1 } }

  func require(_ isMet: Bool, _ sentence: String) {
    if !isMet { state.withLock { $0.failures[sentence, default: 0] += 1 } }
  }
}

/// One end of a pair of sockets, which receives and sends its number.
///
/// The cancel handler of the last source closes both ends.
private final class NumberedSocket: Sendable {
  private let bytes: [UInt8]
  private let results: SocketResults
  private let finish: @Sendable () -> Void
  private let ends = ct_sockets(0)
  private let openSources = Atomic<Int>(2)
  private let receivedCount = Atomic<Int>(0)
  private let sentCount = Atomic<Int>(0)

  init(number: Int, _ results: SocketResults, finish: @escaping @Sendable () -> Void) {
    bytes = [UInt8]("\(number)".utf8)
    self.results = results
    self.finish = finish
  }

  /// Activates a source for each direction.
  func watch(on queue: WorkQueue, cancelsAtOnce: Bool) {
    results.require(ends.reading >= 0, "The sockets are created.")
    let reader = EventSource.makeReadSource(fileDescriptor: ends.reading, queue: queue)
    let writer = EventSource.makeWriteSource(fileDescriptor: ends.reading, queue: queue)
    reader.setEventHandler { self.receive(for: reader) }
    writer.setEventHandler { self.send(for: writer) }
    for source in [reader, writer] as [EventSource] {
      source.setCancelHandler { self.sourceEnded(afterTransfer: !cancelsAtOnce) }
      source.activate()
      if cancelsAtOnce { source.cancel() }
    }
    if !cancelsAtOnce { write(to: ends.writing) }
  }

  private func receive(for source: ReadSource) {
    receivedCount.add(1, ordering: .relaxed)
    results.require(source.data == UInt(bytes.count), "The bytes are counted.")
    results.require(read(from: ends.reading) == bytes, "The source receives its own bytes.")
    source.cancel()
  }

  private func send(for source: WriteSource) {
    sentCount.add(1, ordering: .relaxed)
    write(to: ends.reading)
    source.cancel()
  }

  private func sourceEnded(afterTransfer: Bool) {
    guard openSources.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    if afterTransfer {
      results.require(read(from: ends.writing) == bytes, "The peer receives the bytes.")
      results.require(receivedCount.load(ordering: .relaxed) == 1, "The reader has one event.")
      results.require(sentCount.load(ordering: .relaxed) == 1, "The writer has one event.")
      results.countTransfer()
    }
    results.require(ct_close(ends.reading) == 0, "The first end is still open.")
    results.require(ct_close(ends.writing) == 0, "The second end is still open.")
    finish()
    results.group.leave()
  }

  private func write(to descriptor: Int32) {
    let written = try? BorrowedDescriptor(rawValue: descriptor).write(bytes, 0..<bytes.count)
    results.require(written == bytes.count, "The socket has room.")
  }

  private func read(from descriptor: Int32) -> [UInt8] {
    var received = [UInt8](repeating: 0, count: 32)
    let count = try? BorrowedDescriptor(rawValue: descriptor).read(into: &received)
    return Array(received.prefix(count ?? 0))
  }
}
