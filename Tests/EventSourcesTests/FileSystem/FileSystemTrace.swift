import IOChannelsTestSupport
import Testing

@testable import EventSources

/// The events of one or more sources of a test, as entries of a trace such as `delete|link`.
extension EventSource.FileSystemEvent {
  private static let names: [(EventSource.FileSystemEvent, String)] = [
    (.delete, "delete"), (.write, "write"), (.extend, "extend"), (.attrib, "attrib"),
    (.link, "link"), (.rename, "rename"), (.revoke, "revoke"), (.funlock, "funlock"),
  ]

  /// The names of the events, separated by bars.
  var text: String {
    Self.names.filter { contains($0.0) }.map(\.1).joined(separator: "|")
  }

  init(text: String) {
    let words = text.split(separator: "|")
    self = Self.names.filter { words.contains($0.1[...]) }.reduce(into: []) { $0.insert($1.0) }
  }
}

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
    source.setEventHandler { [unowned source] in trace.add(name + source.data.text) }
    source.setCancelHandler { trace.add(name + "cancel") }
    source.activate()
    if let error = source.registrationError { throw error }
  }

  /// The events of all calls so far.
  var events: EventSource.FileSystemEvent {
    trace.entries.reduce([]) { $0.union(EventSource.FileSystemEvent(text: $1)) }
  }

  /// Waits until events have been reported.
  func reach(_ events: EventSource.FileSystemEvent) async throws {
    try await trace.reach { entries in
      entries.reduce(EventSource.FileSystemEvent()) { $0.union(.init(text: $1)) }
        .isSuperset(of: events)
    }
  }

  /// Cancels the source and waits for its cancel handler.
  func cancel() async throws {
    source.cancel()
    try await trace.reach { $0.contains { $0.hasSuffix("cancel") } }
  }
}
