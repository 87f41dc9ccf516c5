import CIOChannelsTestSupport
import Foundation
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Sequences of events", .ends(withinMinutes: 2))
struct EventsTests {
  @Test("Data are merged while the loop does not wait, and the cancellation ends it")
  func merging() async {
    let source = EventSource.makeUserDataAddSource()
    var sums: [UInt] = []
    source.add(data: 1)
    source.add(data: 2)
    for await sum in source.events {
      sums.append(sum)
      if sums.count == 1 { for data in 1...4 { source.add(data: UInt(data)) } }
      if sums.count == 2 { source.cancel() }
    }
    #expect(sums == [3, 10])
    #expect(source.isCancelled)
  }

  @Test("Ticks count every fire, also in a slow loop")
  func ticks() async {
    var total = 0
    let start = Deadline.now()
    for await fires in TimerSource.ticks(every: .milliseconds(2)) {
      total += fires
      if total >= 10 { break }
    }
    #expect(start.distance(to: .now()) >= .milliseconds(20))
  }

  @Test("Readable bytes end with 0 at the end of a pipe")
  func readable() async throws {
    let ends = ct_pipe()
    _ = try BorrowedDescriptor(rawValue: ends.writing).write([1, 2, 3], 0..<3)
    ct_close(ends.writing)
    var counts: [Int] = []
    for try await count in ReadSource.readable(fileDescriptor: ends.reading) {
      counts.append(count)
      var bytes = [UInt8](repeating: 0, count: max(1, count))
      _ = try BorrowedDescriptor(rawValue: ends.reading).read(into: &bytes)
    }
    #expect(counts == [3, 0])
    ct_close(ends.reading)
  }

  @Test("The events of a path end with the loop, which closes the file")
  func path() async {
    // Other tests open and close files of this process.
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await Self.followAgainAndAgain()
    }
    expectNoMessage(from: result)
  }

  /// Follows a file for an event, a few times, and waits until no descriptor of that is left.
  private static func followAgainAndAgain() async throws {
    let place = try TemporaryDirectory()
    let path = try place.write([1], to: "file")
    func openDescriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    var first = 0
    for round in 0..<20 {
      var iterator = try FileSystemSource.events(at: BytePath(path), mask: [.write, .delete])
        .makeAsyncIterator()
      let writing = try openFile(path, .writeOnly)
      _ = try writing.borrowed.write([2, 3], 0..<2)
      let event = try await iterator.next()
      requireUse(event == .write, "A write is reported.", "S208")
      if round == 0 { first = try openDescriptors() }
    }
    // The last file is closed on a queue. A timer would open descriptors of its own.
    let end = ContinuousClock.now + .seconds(20)
    while try openDescriptors() > first {
      if ContinuousClock.now > end { throw TestFailure("a file stays open") }
      await Task.yield()
    }
  }

  @Test("A source that cannot be registered throws its error")
  func refused() async {
    await #expect(throws: SystemError.badFileDescriptor) {
      for try await _ in ReadSource.readable(fileDescriptor: 1_000_000) {}
    }
  }

  @Test("A cancelled task ends its loop and cancels the source")
  func cancelledTask() async throws {
    let ends = ct_pipe()
    let source = EventSource.makeReadSource(fileDescriptor: ends.reading)
    let task = Task {
      var count = 0
      for try await _ in source.events { count += 1 }
      return count
    }
    await Task.yield()
    task.cancel()
    #expect(try await task.value == 0)
    #expect(source.isCancelled)
    ct_close(ends.reading)
    ct_close(ends.writing)
  }

  @Test("The next step of a cancelled task ends a sequence, even if events wait (S208)")
  func cancelledStep() async throws {
    let ends = ct_pipe()
    _ = try BorrowedDescriptor(rawValue: ends.writing).write([1, 2, 3], 0..<3)
    for count in 0..<3 {
      let source = EventSource.makeUserDataAddSource()
      let (ticks, merged, readable) = try await inTask { cancel in
        var ticks = TimerSource.ticks(every: .milliseconds(1)).makeAsyncIterator()
        var merged = source.events.makeAsyncIterator()
        var readable = ReadSource.readable(fileDescriptor: ends.reading).makeAsyncIterator()
        for _ in 0..<count {
          #expect(await ticks.next() != nil)
          source.add(data: 1)
          #expect(await merged.next() == 1)
          #expect(try await readable.next() == 3)
        }
        source.add(data: 1)
        await cancel()
        return (await ticks.next(), await merged.next(), try await readable.next())
      }
      #expect(ticks == nil && merged == nil && readable == nil)
    }
    ct_close(ends.reading)
    ct_close(ends.writing)
  }

  @Test("A loop that is left cancels its source, and one that never began leaves it alone")
  func abandoned() async throws {
    let source = EventSource.makeUserDataAddSource()
    source.add(data: 1)
    for await _ in source.events { break }
    #expect(source.isCancelled)
    let other = EventSource.makeUserDataAddSource()
    _ = other.events
    other.activate()
    #expect(!other.isCancelled)
  }

  @Test("A second sequence of a source stops the program")
  func second() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = EventSource.makeUserDataAddSource()
      let iterators = [source.events.makeAsyncIterator(), source.events.makeAsyncIterator()]
      withExtendedLifetime(iterators) {}
    }
    expectMessage("S208", from: result)
  }

  @Test("The sequence of a source that has ended is empty")
  func ofEndedSource() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    source.cancel()
    _ = try await trace.entries(1)
    for await _ in source.events { Issue.record("an ended source has no events") }
    let refused = EventSource.makeReadSource(fileDescriptor: 1_000_000, queue: trace.queue)
    refused.record(in: trace)
    refused.activate()
    _ = try await trace.entries(2)
    await #expect(throws: SystemError.badFileDescriptor) { for try await _ in refused.events {} }
  }

  @Test("A sequence of a new source that is never asked for leaves nothing behind")
  func unused() async throws {
    let pipe = try PipeEnds()
    let number = pipe.reading.rawValue
    // A source that is dropped while it is inactive stops the program (S182).
    _ = TimerSource.ticks(every: .seconds(1))
    _ = ReadSource.readable(fileDescriptor: number)
    _ = WriteSource.writable(fileDescriptor: number)
    _ = SignalSource.signals(12)
    _ = try FileSystemSource.events(at: "/")
    for await _ in TimerSource.ticks(every: .milliseconds(1)) { break }
    withExtendedLifetime(pipe.reading) {}
    withExtendedLifetime(pipe.writing) {}
  }

  @Test("The other handlers of a source are called beside its sequence, also if set later")
  func otherHandlers() async throws {
    let trace = Trace()
    let source = EventSource.makeUserDataAddSource(queue: trace.queue)
    source.setRegistrationHandler { trace.add(.registration) }
    let task = Task {
      for await data in source.events { trace.add(.event(data)) }
      trace.add(.mark("end"))
    }
    source.add(data: 1)
    _ = try await trace.entries(2)
    source.setCancelHandler { trace.add(.cancellation) }
    task.cancel()
    #expect(try await trace.entries(4) == [.registration, .event(1), .cancellation, .mark("end")])
  }
}
