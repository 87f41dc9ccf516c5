import IOChannels

/// A call of a handler, or another event of a test, as a `Trace` records it.
///
/// A trace of several operations or channels has their names: `.delivery(of: "a", done: true,
/// bytes: 8)`.
enum TraceEntry: Hashable, Sendable {
  /// A call of an operation's handler; `bytes` is `nil` for a call without data.
  case delivery(of: String = "", done: Bool, bytes: Int?, error: SystemError? = nil)
  /// A call of the handler of a transfer without a channel.
  case transfer(of: String = "", bytes: Int?, error: SystemError? = nil)
  /// A call of a cleanup handler.
  case cleanup(of: String = "", error: SystemError? = nil)
  /// The run of a barrier.
  case barrier
  /// A call of the deallocator of some memory.
  case deallocation(bytes: Int)
  /// A number that the test found.
  case number(String, Int)
  /// Another event.
  case mark(String)

  /// A call of a cleanup handler without an error.
  static let cleanup: TraceEntry = .cleanup(of: "", error: nil)

  /// The name of the operation or channel; empty if it has none.
  var name: String {
    switch self {
    case .delivery(let name, _, _, _), .transfer(let name, _, _), .cleanup(let name, _): name
    case .barrier, .deallocation, .number, .mark: ""
    }
  }

  /// Whether this is the last call of an operation's handler.
  var isDone: Bool {
    if case .delivery(_, let isDone, _, _) = self { isDone } else { false }
  }

  /// The number of bytes of a delivery, if it has data.
  var bytes: Int? {
    if case .delivery(_, _, let bytes, _) = self { bytes } else { nil }
  }

  /// The error of a delivery.
  var error: SystemError? {
    if case .delivery(_, _, _, let error) = self { error } else { nil }
  }
}

extension TraceEntry: CustomStringConvertible {
  var description: String {
    switch self {
    case .delivery(let name, let isDone, let bytes, let error):
      Self.text("delivery", of: name, ["done: \(isDone)", Self.text(bytes)], error)
    case .transfer(let name, let bytes, let error):
      Self.text("transfer", of: name, [Self.text(bytes)], error)
    case .cleanup(let name, let error): Self.text("cleanup", of: name, [], error)
    case .barrier: "barrier"
    case .deallocation(let bytes): Self.text("deallocation", of: "", [Self.text(bytes)], nil)
    case .number(let name, let number): "\(name): \(number)"
    case .mark(let text): text
    }
  }

  private static func text(_ bytes: Int?) -> String { "bytes: \(bytes.map { "\($0)" } ?? "nil")" }

  private static func text(
    _ kind: String,
    of name: String,
    _ parts: [String],
    _ error: SystemError?
  ) -> String {
    let all = (name.isEmpty ? [] : ["of: \(name)"]) + parts + (error.map { ["error: \($0)"] } ?? [])
    return all.isEmpty ? kind : "\(kind)(\(all.joined(separator: ", ")))"
  }
}

extension Sequence<TraceEntry> {
  /// The number of times that each entry occurs, for lists without a defined order.
  var counts: [TraceEntry: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
