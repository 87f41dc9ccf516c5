import IOChannelsTestSupport
import Testing

@testable import EventSources

/// A file in a directory of a test, with a source that records its events.
final class WatchedFile: Sendable {
  let trace: Trace
  let source: FileSystemSource
  let file: OwnedDescriptor

  /// Opens a file and activates a source for it, which is registered when this returns.
  init(
    _ path: String,
    flags: OpenFlags = .readOnly,
    mask: EventSource.FileSystemEvent = .all,
    trace: Trace = Trace(),
    name: String = ""
  ) throws {
    self.trace = trace
    file = try openFile(path, flags)
    source = EventSource.makeFileSystemObjectSource(
      fileDescriptor: file.rawValue,
      eventMask: mask,
      queue: trace.queue
    )
    source.setEventHandler { [unowned source] in trace.add(.file(of: name, source.data)) }
    source.setCancelHandler { trace.add(.cancellation(of: name)) }
    source.activate()
    if let error = source.registrationError { throw error }
  }

  /// The events of all calls so far.
  var events: EventSource.FileSystemEvent {
    trace.entries.reduce([]) { $0.union($1.fileEvents) }
  }

  /// Waits until events have been reported.
  func reach(_ events: EventSource.FileSystemEvent) async throws {
    try await trace.reach { entries in
      entries.reduce(EventSource.FileSystemEvent()) { $0.union($1.fileEvents) }
        .isSuperset(of: events)
    }
  }

  /// Cancels the source and waits for its cancel handler.
  func cancel() async throws {
    source.cancel()
    try await trace.reach { $0.contains(where: \.isCancellation) }
  }
}
