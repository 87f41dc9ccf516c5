import CIOChannelsTestSupport
import Glibc
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Processor time of sources")
struct ProcessorTimeTests {
  @Test("Idle, ended and suspended sources use no processor time")
  func idle() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      try Self.watchSources()
    }
    expectNoMessage(from: result)
  }

  /// Has sources in all silent states, and stops the program if they cost time.
  private static func watchSources() throws {
    let queue = WorkQueue(label: "idle")
    let (idle, ended, full, ready) = (ct_pipe(), ct_pipe(), ct_pipe(), ct_pipe())
    let sockets = ct_sockets(0)
    ct_close(ended.writing)
    ct_fill(full.writing)
    ct_close(full.reading)
    ct_fill(sockets.writing)
    ct_shut_down_writing(sockets.reading)
    _ = try BorrowedDescriptor(rawValue: ready.writing).write([1], 0..<1)
    // The kernel keeps a message about the packet, which nothing takes.
    let failed = ct_datagrams_to_nobody()
    ct_record_refusals(failed)
    _ = try BorrowedDescriptor(rawValue: failed).write([1], 0..<1)
    let suspended = EventSource.makeReadSource(fileDescriptor: ready.reading, queue: queue)
    let replaced = try openFile("/dev/null").release()
    // The last one has no handler.
    let sources: [EventSource] = [
      suspended,
      EventSource.makeReadSource(fileDescriptor: idle.reading, queue: queue),
      EventSource.makeReadSource(fileDescriptor: ended.reading, queue: queue),
      EventSource.makeWriteSource(fileDescriptor: full.writing, queue: queue),
      EventSource.makeWriteSource(fileDescriptor: sockets.writing, queue: queue),
      EventSource.makeReadSource(fileDescriptor: failed, queue: queue),
      EventSource.makeReadSource(fileDescriptor: replaced, queue: queue),
      EventSource.makeReadSource(fileDescriptor: ready.reading, queue: queue),
    ]
    for source in sources.dropLast() { source.setEventHandler {} }
    suspended.suspend()
    for source in sources { source.activate() }
    let (quiet, cancelled) = (firedTimer(on: queue), firedTimer(on: queue))
    quiet.suspend()
    cancelled.cancel()
    // The number of a file that is always ready becomes that of a pipe without bytes.
    dup2(idle.reading, replaced)
    pause(.milliseconds(100))
    let before = KernelClock.processorTime
    pause(.milliseconds(300))
    let used = KernelClock.processorTime - before
    // 2 % of the time, and as much again for a clock that counts in steps of 4 ms.
    requireUse(used < 12_000_000, "The sources used \(used) ns.", "S187")
    for source in sources { source.cancel() }
    suspended.resume()
    quiet.cancel()
    quiet.resume()
  }

  /// Returns a timer with a short interval that has fired many times.
  private static func firedTimer(on queue: WorkQueue) -> TimerSource {
    let timer = TimerSource(queue: queue)
    let fires = CountingSemaphore(value: 0)
    timer.setEventHandler { fires.signal() }
    timer.schedule(deadline: .now(), repeating: .microseconds(50))
    timer.activate()
    for _ in 1...20 { fires.wait() }
    return timer
  }

  private static func pause(_ time: Duration) {
    _ = CountingSemaphore(value: 0).wait(timeout: .now() + time)
  }
}
