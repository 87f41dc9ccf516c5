import IOChannels
import IOChannelsLocks

/// What the handlers of a channel were called with, in the order of the calls.
final class Trace: Sendable {
  /// What came so far.
  struct Record {
    var entries: [TraceEntry] = []
    /// All bytes that reads delivered.
    var bytes: [UInt8] = []
  }

  private struct Wait {
    let isOver: @Sendable (Record) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var record = Record()
    var waits: [Wait] = []
  }

  private let state = BargingLock(State())
  let queue = WorkQueue(label: "trace")

  var entries: [TraceEntry] { state.withLock { $0.record.entries } }
  var bytes: [UInt8] { state.withLock { $0.record.bytes } }

  func handler(_ name: String = "") -> IOChannel.Handler {
    { [self] isDone, data, error in
      let error = SystemError(errno: error)
      let entry = TraceEntry.delivery(of: name, done: isDone, bytes: data?.count, error: error)
      add(entry, data.map { [UInt8]($0) } ?? [])
    }
  }

  func cleanup(_ name: String = "") -> @Sendable (Int32) -> Void {
    { [self] error in add(.cleanup(of: name, error: SystemError(errno: error))) }
  }

  func add(_ entry: TraceEntry, _ bytes: [UInt8] = []) {
    let ready = state.withLock { state in
      state.record.entries.append(entry)
      state.record.bytes += bytes
      let record = state.record
      let ready = state.waits.filter { $0.isOver(record) }
      state.waits.removeAll { $0.isOver(record) }
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
    await reach { $0.entries.count >= count }
  }

  /// Waits until what came is all that is waited for, asked with each entry.
  func reach(_ isOver: @escaping @Sendable (Record) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if isOver(state.record) { return true }
        state.waits.append(Wait(isOver: isOver, continuation: continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Waits for as many entries as are expected, and gives them.
  func entries(_ count: Int) async -> [TraceEntry] {
    await reach(count)
    return entries
  }
}
