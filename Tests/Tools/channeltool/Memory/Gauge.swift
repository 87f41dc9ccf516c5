import QueueRuntime
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem

/// An observer of the memory that requests have, at each new request.
final class Gauge: RequestObserver {
  let budget: MemoryBudget
  private let counts = BargingLock((requests: 0, completed: 0, most: (bytes: 0, requests: 0)))
  /// The number of ended reads at which `wait` returns.
  private let awaited = BargingLock(Int.max)
  private let haveCome = CountingSemaphore(value: 0)

  init(_ budget: MemoryBudget) {
    self.budget = budget
  }

  /// The most bytes that were lent, and the most transfers at a time.
  var most: (bytes: Int, requests: Int) { counts.withLock { $0.most } }

  /// Resets the counts, and lets `wait` return after so many reads.
  func reset(awaiting count: Int) {
    counts.withLock { $0 = (0, 0, (0, 0)) }
    awaited.withLock { $0 = count }
  }

  /// Waits for the number of reads that `reset` was given.
  func wait() {
    haveCome.wait()
  }

  func submitted(_ request: RequestSummary, to route: Route) {
    guard request.kind == .read else { return }
    let used = budget.used
    counts.withLock { counts in
      counts.requests += 1
      counts.most.bytes = max(counts.most.bytes, used)
      counts.most.requests = max(counts.most.requests, counts.requests)
    }
  }

  func completed(_ request: RequestSummary, _ result: TransferResult) {
    guard request.kind == .read else { return }
    let count = counts.withLock { counts in
      counts.requests -= 1
      counts.completed += 1
      return counts.completed
    }
    if count == awaited.withLock({ $0 }) { haveCome.signal() }
  }

  func chose(_ choice: BackendChoice) {}
  func retried(_ request: RequestSummary, after error: SystemError) {}
  func rerouted(_ request: RequestSummary) {}
}

/// The resident memory of this process in KiB.
struct Resident {
  let now: Int
  let most: Int

  init() throws(SystemError) {
    let file = try BorrowedDescriptor.workingDirectory.open("/proc/self/status", .readOnly)
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = try file.borrowed.read(into: &bytes)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    func number(_ name: String) -> Int {
      let line = lines.first { $0.hasPrefix(name) }
      return line?.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0
    }
    now = number("VmRSS:")
    most = number("VmHWM:")
  }
}
