import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsTestSupport

/// Records what a directory has at each flush, and lets a flush fail.
///
/// It observes the requests of a real engine, or is the backend before the simulator's.
final class StepsBackend: Backend, RequestObserver {
  /// The state of the directory at one flush.
  struct Step: Equatable, CustomStringConvertible {
    let name: String
    /// The bytes at the path, as text.
    let content: String?
    /// The number of names in the directory.
    let nameCount: Int

    var description: String { "\(name) \(content ?? "nothing") \(nameCount)" }
  }

  private let place: TemporaryDirectory
  private let path: String
  private let inner: any Backend
  private let failing: Int?
  private let recorded = BargingLock<[Step]>([])
  private let flushes = BargingLock(0)
  private let queue = WorkQueue(label: "failures")

  /// The steps so far.
  var steps: [Step] { recorded.withLock { $0 } }

  /// Watches a path in a directory; the flush with the given number fails, counted from 0.
  init(_ place: TemporaryDirectory, _ path: String, failing: Int? = nil) {
    self.place = place
    self.path = path
    self.failing = failing
    inner = UnsteadyBackend(seed: SeededGenerator(for: "steps").seed, cutsTransfers: true)
  }

  /// Creates an engine that this value watches.
  func engine(_ backend: TestBackend) throws -> Engine {
    if backend == .ring { try Need.ring.orSkip() }
    if backend != .simulator { return Engine(setting: backend.setting, observer: self) }
    return Engine(
      simulatedBy: self,
      queue: .global(),
      sizes: TransferSizes(atOnce: 0, peerAtOnce: 0),
      budget: .shared
    )
  }

  private func record(_ kind: Request.Kind, of descriptor: Int32) {
    if kind != .synchronize { return }
    let status = try? BorrowedDescriptor(rawValue: descriptor).status()
    let content = try? run(["cat", path])
    let step = Step(
      name: status?.kind == .directory ? "directory" : "file",
      content: content?.succeeded ?? false ? content?.outputText : nil,
      nameCount: names(in: place).count
    )
    recorded.withLock { $0.append(step) }
  }

  // The backend.

  func submit(_ request: Request) {
    record(request.kind, of: request.descriptor.rawValue)
    if request.kind == .synchronize {
      let number = flushes.withLock { count in
        defer { count += 1 }
        return count
      }
      if number == failing { return queue.async { request.end(.failure(.ioError)) } }
    }
    inner.submit(request)
  }

  func cancel(_ request: Request) { inner.cancel(request) }

  // The observer.

  func chose(_ choice: BackendChoice) {}
  func submitted(_ request: RequestSummary, to route: Route) {
    record(request.kind, of: request.descriptor)
  }
  func retried(_ request: RequestSummary, after error: SystemError) {}
  func rerouted(_ request: RequestSummary) {}
  func completed(_ request: RequestSummary, _ result: TransferResult) {}
}

/// Returns the names in a directory, hidden ones too.
func names(in place: TemporaryDirectory) -> [String] {
  let text = (try? runSuccessfully(["ls", "-A", place.path])) ?? "unreadable"
  return text.split(separator: "\n").map(String.init)
}
