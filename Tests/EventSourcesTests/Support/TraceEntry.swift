@testable import EventSources

/// A call of a source's handler, or another event of a test, as a `Trace` records it.
///
/// A trace of several sources has their names: `.event(of: "late", 2)`.
enum TraceEntry: Hashable, Sendable {
  /// A call of a registration handler.
  case registration
  /// A call of a cancel handler, with the label of its queue where the test records that.
  case cancellation(of: String = "", on: String = "")
  /// A call of an event handler whose data the test does not record.
  case call
  /// A call of an event handler with its data.
  case event(of: String = "", UInt)
  /// The events of a file.
  case file(of: String = "", EventSource.FileSystemEvent)
  /// The events of a process, with its status where the test records that.
  case process(EventSource.ProcessEvent, status: ProcessStatus? = nil)
  /// The levels of memory pressure.
  case pressure(EventSource.MemoryPressureEvent)
  /// A received message and the bytes that waited; `bytes` is `nil` if there was none.
  case message(bytes: Int?, waiting: UInt)
  /// The events of the sender of a port.
  case sender(of: String, EventSource.PortSendEvent)
  /// A number that the test found.
  case number(String, Int)
  /// Another event.
  case mark(String)

  /// A call of a cancel handler.
  static let cancellation: TraceEntry = .cancellation(of: "", on: "")

  /// Whether this is a call of a cancel handler.
  var isCancellation: Bool {
    if case .cancellation(_, _) = self { true } else { false }
  }

  /// The data of a call of an event handler.
  var data: UInt? {
    if case .event(_, let data) = self { data } else { nil }
  }

  /// The events of a file, empty for other entries.
  var fileEvents: EventSource.FileSystemEvent {
    if case .file(_, let events) = self { events } else { [] }
  }

  /// The events of a process, empty for other entries.
  var processEvents: EventSource.ProcessEvent {
    if case .process(let events, _) = self { events } else { [] }
  }
}

extension TraceEntry: CustomStringConvertible {
  var description: String {
    switch self {
    case .registration: "registration"
    case .cancellation(let name, let queue):
      Self.text("cancellation", of: name, queue.isEmpty ? [] : ["on: \(queue)"])
    case .call: "call"
    case .event(let name, let data): Self.text("event", of: name, ["\(data)"])
    case .file(let name, let events): Self.text("file", of: name, events.names)
    case .process(let events, let status):
      Self.text("process", events.names + (status.map { ["status: \($0)"] } ?? []))
    case .pressure(let levels): Self.text("pressure", levels.names)
    case .message(let bytes, let waiting):
      Self.text("message", ["bytes: \(bytes.map { "\($0)" } ?? "nil")", "waiting: \(waiting)"])
    case .sender(let name, let events):
      Self.text("sender", of: name, [events == .dead ? "dead" : "\(events.rawValue)"])
    case .number(let name, let number): "\(name): \(number)"
    case .mark(let text): text
    }
  }

  private static func text(_ kind: String, of name: String = "", _ parts: [String]) -> String {
    let all = (name.isEmpty ? [] : ["of: \(name)"]) + parts
    return all.isEmpty ? kind : "\(kind)(\(all.joined(separator: ", ")))"
  }
}

extension EventSource.FileSystemEvent {
  fileprivate var names: [String] {
    let known: [(Self, String)] = [
      (.delete, "delete"), (.write, "write"), (.extend, "extend"), (.attrib, "attrib"),
      (.link, "link"), (.rename, "rename"), (.revoke, "revoke"), (.funlock, "funlock"),
    ]
    return known.filter { contains($0.0) }.map(\.1)
  }
}

extension EventSource.ProcessEvent {
  fileprivate var names: [String] {
    let known: [(Self, String)] = [
      (.exit, "exit"), (.fork, "fork"), (.exec, "exec"), (.signal, "signal"),
    ]
    return known.filter { contains($0.0) }.map(\.1)
  }
}

extension EventSource.MemoryPressureEvent {
  fileprivate var names: [String] {
    let known: [(Self, String)] = [
      (.normal, "normal"), (.warning, "warning"), (.critical, "critical"),
    ]
    return known.filter { contains($0.0) }.map(\.1)
  }
}
