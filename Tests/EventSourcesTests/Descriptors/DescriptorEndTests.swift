import CIOChannelsTestSupport
import Foundation
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization
import Testing

@testable import EventSources

@Suite("Ends of descriptors")
struct DescriptorEndTests {
  private func read(_ descriptor: Int32, _ count: Int) -> Int {
    var bytes = [UInt8](repeating: 0, count: count)
    return (try? BorrowedDescriptor(rawValue: descriptor).read(into: &bytes)) ?? -1
  }

  private func write(_ descriptor: BorrowedDescriptor, _ count: Int) throws {
    _ = try descriptor.write([UInt8](repeating: 7, count: count), 0..<count)
  }

  /// Runs a loop that never sleeps on a thread of its own, as handlers of other tests need the
  /// workers.
  private func loop(in group: WorkGroup, _ body: @escaping @Sendable () -> Void) throws {
    group.enter()
    do {
      try PlatformThread.start(name: "loop") {
        body()
        group.leave()
      }
    } catch {
      group.leave()
      throw error
    }
  }

  @Test("Bytes that arrive while the kernel is asked are no end", arguments: [false, true])
  func arrival(isSocket: Bool) async throws {
    let pipe = isSocket ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
    let (reading, writing) = (pipe.reading.borrowed, pipe.writing.borrowed)
    let observer = DescriptorObserver(reading, .read, isAlwaysReady: false)
    let count = Tier.count(quick: 20_000, full: 1_000_000)
    let transfers = WorkGroup()
    let ends = BargingLock(0)
    try loop(in: transfers) {
      for _ in 0..<count { _ = try? writing.write([1], 0..<1) }
    }
    try loop(in: transfers) {
      var received = 0
      while received < count {
        guard let report = observer.report() else { continue }
        if report.data == 0 { ends.withLock { $0 += 1 } }
        received += max(0, read(reading.rawValue, Int(max(1, report.data))))
      }
    }
    try await transfers.completion()
    #expect(ends.withLock { $0 } == 0, "the peer is open")
    withExtendedLifetime(pipe.reading) {}
    withExtendedLifetime(pipe.writing) {}
  }

  @Test("Messages that another receiver takes are no event without bytes")
  func otherReceiver() async throws {
    let pair = try PipeEnds(socketsWithMessages: true)
    let (reading, writing) = (pair.reading.borrowed, pair.writing.borrowed)
    try reading.setStatusFlags(reading.statusFlags().union(.nonBlocking))
    let observer = DescriptorObserver(reading, .read, isAlwaysReady: false)
    let isOver = Atomic<Bool>(false)
    let transfers = WorkGroup()
    try loop(in: transfers) {
      while !isOver.load(ordering: .relaxed) { _ = read(reading.rawValue, 1) }
    }
    var emptyEvents = 0
    for _ in 0..<Tier.count(quick: 20_000, full: 1_000_000) {
      try write(writing, 1)
      while let report = observer.report() {
        if report.data == 0 { emptyEvents += 1 }
      }
    }
    isOver.store(true, ordering: .relaxed)
    try await transfers.completion()
    #expect(emptyEvents == 0, "no message is empty")
    withExtendedLifetime(pair) {}
  }

  @Test("A datagram that is refused does not end the source")
  func refusedDatagram() async throws {
    let client = OwnedDescriptor(owning: ct_datagrams_to_nobody())
    let number = client.rawValue
    let trace = Trace()
    let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [weak source] in
      trace.add(.event(source?.data ?? 0))
      _ = read(number, 100)
    }
    source.activate()
    _ = try await trace.entries(1)
    try write(client.borrowed, 3)
    _ = try await trace.entries(2)
    let server = OwnedDescriptor(owning: ct_datagram_peer(number))
    try write(server.borrowed, 7)
    #expect(try await trace.entries(3) == [.registration, .event(1), .event(7)])
    source.cancel()
    _ = try await trace.entries(4)
  }

  @Test("An error of a socket ends nothing, a hang-up ends everything")
  func errors() {
    let refused = DescriptorReport.reading(bytes: 0, states: .failed, isSocket: true)
    #expect(refused == DescriptorReport(1, isErrorAlone: true))
    let readable: ReadinessEvents = [.failed, .readable]
    let empty = DescriptorReport.reading(bytes: 0, states: readable, isSocket: true)
    #expect(empty == DescriptorReport(1))
    let reset = DescriptorReport.reading(bytes: 0, states: [.failed, .hangUp], isSocket: true)
    #expect(reset == DescriptorReport(0, isLast: true))
    let device = DescriptorReport.reading(bytes: nil, states: .failed)
    #expect(device == DescriptorReport(0, isLast: true))
    let writing = DescriptorReport.writing(room: 8, states: .failed, isSocket: true)
    #expect(writing == DescriptorReport(8, isErrorAlone: true))
    let room = DescriptorReport.writing(room: 8, states: [.failed, .writable], isSocket: true)
    #expect(room == DescriptorReport(8))
    let pipe = DescriptorReport.writing(room: 8, states: .failed)
    #expect(pipe == DescriptorReport(8, isLast: true))
  }

  @Test("The bytes of a large file are counted", arguments: [3 << 30, 4 << 30, 5 << 30])
  func largeFile(size: Int) async throws {
    let file = OwnedDescriptor(owning: ct_memory_file())
    try file.borrowed.setSize(Int64(size))
    let trace = Trace()
    let number = file.rawValue
    let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
    source.setEventHandler { [weak source] in
      trace.add(.event(source?.data ?? 0))
      source?.cancel()
    }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    #expect(try await trace.entries(2) == [.event(UInt(size)), .cancellation])
    withExtendedLifetime(file) {}
  }

  @Test("An end without a handler is reported to a later handler")
  func lateHandler() async throws {
    let reading = try PipeEnds().closeWriting()
    let trace = Trace()
    let source = EventSource.makeReadSource(
      fileDescriptor: reading.rawValue,
      queue: trace.queue
    )
    source.record(in: trace)
    source.activate()
    _ = try await trace.entries(1)
    // The event without a handler is consumed on the queue.
    try await reach { source.core.state.withLock { $0.life.awaitsHandler } }
    source.setEventHandler { [weak source] in trace.add(.event(source?.data ?? 9)) }
    #expect(try await trace.entries(2) == [.registration, .event(0)])
    source.cancel()
    _ = try await trace.entries(3)
    withExtendedLifetime(reading) {}
  }

  /// Returns the files about the kernel's lists that wait for a descriptor.
  private func lists(with number: Int32, among files: [String]) -> [String] {
    files.filter { file in
      let text = try? text(of: file)
      let lines = text?.split(separator: "\n").filter { $0.hasPrefix("tfd:") } ?? []
      return lines.contains { $0.split(separator: " ").dropFirst().first == "\(number)" }
    }
  }

  /// Returns the text of a file of the kernel.
  ///
  /// Foundation leaks its memory where a read fails, as that about a descriptor closed meanwhile.
  private func text(of file: String) throws -> String {
    let descriptor = try openFile(file)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = try descriptor.borrowed.read(into: &bytes)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("The kernel's list has released the descriptor when the cancel handler runs")
  func release() async throws {
    let place = "/proc/self/fdinfo"
    for _ in 0..<Tier.count(quick: 50, full: 1_000) {
      let pipe = try PipeEnds()
      let number = pipe.reading.rawValue
      let trace = Trace()
      let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
      source.activate()
      let all = try FileManager.default.contentsOfDirectory(atPath: place)
      let files = lists(with: number, among: all.map { "\(place)/\($0)" })
      #expect(files.count == 1)
      source.setCancelHandler {
        trace.add(.number("lists", lists(with: number, among: files).count))
      }
      source.cancel()
      #expect(try await trace.entries(1) == [.number("lists", 0)])
      withExtendedLifetime(pipe.reading) {}
      withExtendedLifetime(pipe.writing) {}
    }
  }

  @Test("A source that is cancelled at the end of a file leaves nothing behind")
  func cancelledAtTheEnd() async throws {
    let place = try TemporaryDirectory()
    let path = try place.write([1, 2, 3], to: "file")
    var cores: [WeakCore] = []
    for _ in 0..<Tier.count(quick: 100, full: 1_000) {
      let reading = try openFile(path, .readOnly)
      _ = read(reading.rawValue, 3)
      let source = EventSource.makeReadSource(fileDescriptor: reading.rawValue)
      cores.append(WeakCore(source.core))
      for try await count in source.events where count == 0 { break }
      withExtendedLifetime(reading) {}
    }
    let kept = cores
    try await reach { kept.allSatisfy { $0.core == nil } }
  }
}
