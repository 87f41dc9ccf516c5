import FileCopy
import Synchronization

/// The failures and warnings that an observer hears, in their order.
final class HeardProblems: Sendable {
  private let heard = Mutex<[CopyProblem]>([])

  var problems: [CopyProblem] { heard.withLock { $0 } }

  func hear(_ event: CopyEvent) {
    switch event {
    case .failure(let error), .warning(let error): heard.withLock { $0.append(error.problem) }
    default: break
    }
  }
}
