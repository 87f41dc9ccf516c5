import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport

/// The names of the threads that came here, and how many times one came.
final class ThreadNames: Sendable {
  private let state = BargingLock((count: 0, names: Set<String>()))
  /// Entered by `expect`, left by `note`.
  let group = WorkGroup()

  init() {}

  var count: Int { state.withLock(\.count) }
  var all: Set<String> { state.withLock(\.names) }

  /// Lets the group wait for one more thread.
  func expect() {
    group.enter()
  }

  /// Notes the calling thread.
  func note() {
    var text = [UInt8](repeating: 0, count: 16)
    var length = 0
    if let file = try? openFile("/proc/thread-self/comm") {
      length = (try? file.borrowed.read(into: &text)) ?? 0
    }
    let name = String(decoding: text.prefix(max(length - 1, 0)), as: UTF8.self)
    state.withLock { state in
      state.count += 1
      state.names.insert(name)
    }
    group.leave()
  }
}
