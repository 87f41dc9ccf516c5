import CIOChannelsTestSupport
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Errors of sockets that the program leaves")
struct DescriptorErrorTests {
  private static func write(_ descriptor: BorrowedDescriptor, _ count: Int) throws {
    _ = try descriptor.write([UInt8](repeating: 7, count: count), 0..<count)
  }

  private static func read(_ descriptor: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    return (try? BorrowedDescriptor(rawValue: descriptor).read(into: &bytes)) ?? -1
  }

  /// Passes the queue so often that a source that is called again and again shows it.
  private func settled(_ trace: Trace) async -> [TraceEntry] {
    for _ in 0..<10 { _ = await trace.drained() }
    return trace.entries
  }

  @Test("A message in the error queue calls the handler twice at most", arguments: [false, true])
  func errorQueue(isRefusal: Bool) async throws {
    let client = OwnedDescriptor(owning: ct_datagrams_to_nobody())
    let number = client.rawValue
    #expect((isRefusal ? ct_record_refusals(number) : ct_record_send_times(number)) == 0)
    var server = isRefusal ? nil : OwnedDescriptor(owning: ct_datagram_peer(number))
    let trace = Trace()
    let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
    source.record(in: trace)
    source.setEventHandler { [unowned source] in
      // The test continues with the entry.
      _ = Self.read(number)
      trace.add(.event(source.data))
    }
    source.activate()
    _ = try await trace.entries(1)
    try Self.write(client.borrowed, 3)
    _ = try await trace.entries(2)
    let errors = await settled(trace)
    #expect(
      errors == [.registration, .event(1)] || errors == [.registration, .event(1), .event(1)]
    )
    if server == nil { server = OwnedDescriptor(owning: ct_datagram_peer(number)) }
    let peer = server?.rawValue ?? -1
    // Bytes are reported beside the error, more than once.
    for count in [7, 5] {
      try Self.write(BorrowedDescriptor(rawValue: peer), count)
      try await trace.reach { $0.last == .event(UInt(count)) }
    }
    let before = await settled(trace).count
    #expect(before <= errors.count + 4)
    if !isRefusal {
      // Another message is a change.
      try Self.write(client.borrowed, 3)
      try await trace.reach { $0.count > before }
    }
    #expect(ct_take_error_messages(number) == (isRefusal ? 1 : 2))
    try Self.write(BorrowedDescriptor(rawValue: peer), 9)
    try await trace.reach { $0.last == .event(9) }
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(server) {}
    withExtendedLifetime(client) {}
  }

  @Test("Bytes that are left beside an error are reported again and again")
  func level() async throws {
    let client = OwnedDescriptor(owning: ct_datagrams_to_nobody())
    let server = OwnedDescriptor(owning: ct_datagram_peer(client.rawValue))
    let number = client.rawValue
    #expect(ct_record_send_times(number) == 0)
    let trace = Trace()
    let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    try Self.write(client.borrowed, 3)
    _ = try await trace.entries(1)
    _ = await settled(trace)
    try Self.write(server.borrowed, 7)
    try await trace.reach { $0.count(where: { $0 == .event(7) }) >= 4 }
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(server) {}
    withExtendedLifetime(client) {}
  }

  @Test("An error that comes without a handler is reported to a later one")
  func withoutHandler() async throws {
    let client = OwnedDescriptor(owning: ct_datagrams_to_nobody())
    let server = OwnedDescriptor(owning: ct_datagram_peer(client.rawValue))
    #expect(ct_record_send_times(client.rawValue) == 0)
    let trace = Trace()
    let source = EventSource.makeReadSource(
      fileDescriptor: client.rawValue,
      queue: trace.queue
    )
    source.setEventHandler { trace.add(.call) }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    try Self.write(client.borrowed, 3)
    _ = try await trace.entries(1)
    let before = await settled(trace).count
    source.setEventHandler(handler: nil)
    try Self.write(client.borrowed, 3)
    try await reach { source.core.state.withLock { $0.life.awaitsHandler } }
    source.setEventHandler { trace.add(.call) }
    _ = try await trace.entries(before + 1)
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(server) {}
    withExtendedLifetime(client) {}
  }

  @Test("The end beside an error is reported once, also if another error follows")
  func end() async throws {
    let listener = OwnedDescriptor(owning: ct_listen())
    let client = OwnedDescriptor(owning: ct_connect(listener.rawValue))
    let peer = OwnedDescriptor(owning: ct_accept(listener.rawValue))
    #expect(ct_record_send_times(client.rawValue) == 0)
    let trace = Trace()
    let source = EventSource.makeReadSource(
      fileDescriptor: client.rawValue,
      queue: trace.queue
    )
    source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    try Self.write(client.borrowed, 3)
    _ = try await trace.entries(1)
    _ = await settled(trace)
    ct_shut_down_writing(peer.rawValue)
    try await trace.reach { $0.last == .event(0) }
    try Self.write(client.borrowed, 3)
    #expect(await settled(trace).count(where: { $0 == .event(0) }) == 1)
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(client) {}
    withExtendedLifetime(peer) {}
  }

  @Test("An ended source that has waited for changes leaves the kernel's list (S187)")
  func endedSourceIsRemoved() async {
    // Other tests of the process have sources in the same list.
    await #expect(processExitsWith: .success) {
      let list = try SharedReadinessList.get()
      let listener = OwnedDescriptor(owning: ct_listen())
      let client = OwnedDescriptor(owning: ct_connect(listener.rawValue))
      let peer = OwnedDescriptor(owning: ct_accept(listener.rawValue))
      #expect(ct_record_send_times(client.rawValue) == 0)
      let trace = Trace()
      let source = EventSource.makeReadSource(
        fileDescriptor: client.rawValue,
        queue: trace.queue
      )
      source.setEventHandler { [unowned source] in trace.add(.event(source.data)) }
      source.setCancelHandler { trace.add(.cancellation) }
      source.activate()
      // The handler leaves the error, so that the source waits for changes.
      try Self.write(client.borrowed, 3)
      _ = try await trace.entries(1)
      _ = await trace.drained()
      #expect(list.count == 1)
      ct_shut_down_writing(peer.rawValue)
      try await trace.reach { $0.last == .event(0) }
      try await reach { list.count == 0 }
      // A later error is not reported, and the cancellation has nothing to remove.
      let before = trace.entries
      try Self.write(client.borrowed, 3)
      #expect(await trace.drained() == before)
      source.cancel()
      try await trace.reach { $0.last == .cancellation }
      #expect(list.count == 0)
      withExtendedLifetime(client) {}
      withExtendedLifetime(peer) {}
    }
  }

  @Test("An error of a socket without room calls the handler twice at most")
  func withoutRoom() async throws {
    let listener = OwnedDescriptor(owning: ct_listen())
    let client = OwnedDescriptor(owning: ct_connect(listener.rawValue))
    let peer = OwnedDescriptor(owning: ct_accept(listener.rawValue))
    let (number, peerNumber) = (client.rawValue, peer.rawValue)
    #expect(ct_record_send_times(number) == 0)
    ct_fill(number)
    let trace = Trace()
    let source = EventSource.makeWriteSource(fileDescriptor: number, queue: trace.queue)
    source.setEventHandler { trace.add(.call) }
    source.setCancelHandler { trace.add(.cancellation) }
    source.activate()
    _ = try await trace.entries(1)
    #expect(await settled(trace).count <= 2)
    let before = trace.entries.count
    try await reach {
      // A read of nothing would block.
      while try peer.borrowed.readableBytes() > 0 { _ = Self.read(peerNumber) }
      return trace.entries.count > before + 3
    }
    source.cancel()
    try await trace.reach { $0.last == .cancellation }
    withExtendedLifetime(client) {}
    withExtendedLifetime(peer) {}
  }

  // MARK: - Closed descriptors

  /// Opens the descriptors of the timer service, which must not get the number of a closed one.
  private static func openTimers() async {
    for await _ in TimerSource.ticks(every: .milliseconds(1)) { break }
  }

  @Test("A descriptor that is closed while its duplicate lives is reported as ended once")
  func closedWithDuplicate() async {
    // Other tests of the process would get the number.
    await #expect(processExitsWith: .success) {
      await Self.openTimers()
      let ends = ct_pipe()
      let (number, writing) = (ends.reading, BorrowedDescriptor(rawValue: ends.writing))
      let duplicate = try BorrowedDescriptor(rawValue: number).duplicateForWaiting()
      let trace = Trace()
      let source = EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
      source.record(in: trace)
      source.setEventHandler { [unowned source] in
        _ = Self.read(number)
        trace.add(.event(source.data))
      }
      source.activate()
      try Self.write(writing, 3)
      _ = try await trace.entries(2)
      _ = await trace.drained()
      ct_close(number)
      // The kernel reports the file that the duplicate keeps open.
      try Self.write(writing, 2)
      _ = try await trace.entries(3)
      try Self.write(writing, 4)
      #expect(await trace.drained() == [.registration, .event(3), .event(0)])
      source.cancel()
      #expect(try await trace.entries(4) == [.registration, .event(3), .event(0), .cancellation])
      let other = Trace()
      let next = EventSource.makeReadSource(
        fileDescriptor: duplicate.rawValue,
        queue: other.queue
      )
      next.record(in: other)
      next.setEventHandler { [unowned next] in
        other.add(.event(next.data))
        next.cancel()
      }
      next.activate()
      #expect(try await other.entries(3) == [.registration, .event(6), .cancellation])
      withExtendedLifetime(duplicate) {}
    }
  }

  @Test("A file that is always ready is reported as ended once when it was closed")
  func closedFile() async {
    await #expect(processExitsWith: .success) {
      await Self.openTimers()
      for path in ["/dev/null", "/proc/self/status"] {
        for isRead in [true, false] {
          let number = try openFile(path, isRead ? .readOnly : .writeOnly).release()
          let trace = Trace()
          let source: EventSource =
            isRead
            ? EventSource.makeReadSource(fileDescriptor: number, queue: trace.queue)
            : EventSource.makeWriteSource(fileDescriptor: number, queue: trace.queue)
          source.record(in: trace)
          source.setEventHandler { trace.add(.call) }
          source.suspend()
          source.activate()
          ct_close(number)
          source.resume()
          #expect(try await trace.entries(2) == [.registration, .call])
          #expect(await trace.drained() == [.registration, .call])
          source.cancel()
          #expect(try await trace.entries(3) == [.registration, .call, .cancellation])
        }
      }
    }
  }
}
