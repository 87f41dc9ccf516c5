import IOChannels

/// What the handlers of a channel were called with, in the order of the calls.
///
/// An entry is `done/bytes/error`: `0/1048576/0`, `1/empty/0`, `1/nil/125`; a cleanup is `c0`.
final class Trace: Sendable {
  private struct State {
    var entries: [String] = []
    var bytes: [UInt8] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = BargingLock(State())
  let queue = WorkQueue(label: "trace")

  var entries: [String] { state.withLock { $0.entries } }
  /// All bytes that reads delivered.
  var bytes: [UInt8] { state.withLock { $0.bytes } }

  func handler(_ name: String = "") -> IOChannel.Handler {
    { [self] isDone, data, error in
      let size = data.map { $0.isEmpty ? "empty" : "\($0.count)" } ?? "nil"
      let entry = "\(name)\(isDone ? 1 : 0)/\(size)/\(error?.rawValue ?? 0)"
      add(entry, data.map { [UInt8]($0) } ?? [])
    }
  }

  func cleanup(_ name: String = "") -> @Sendable (Errno?) -> Void {
    { [self] error in add("\(name)c\(error?.rawValue ?? 0)", []) }
  }

  func add(_ entry: String, _ bytes: [UInt8] = []) {
    let ready = state.withLock { state in
      state.entries.append(entry)
      state.bytes += bytes
      let count = state.entries.count
      let ready = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return ready.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Waits for the calls that are on their way.
  func drain() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Waits until there are `count` entries.
  func reach(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.entries.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Waits for as many entries as are expected, and gives them.
  func entries(_ count: Int) async -> [String] {
    await reach(count)
    return entries
  }
}
