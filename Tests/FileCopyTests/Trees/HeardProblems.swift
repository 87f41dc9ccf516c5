import FileCopy
import Synchronization

/// The failures and warnings that an observer hears, in their order.
final class HeardProblems: Sendable {
  private let heard = Mutex<[CopyError.Problem]>([])

  var problems: [CopyError.Problem] { heard.withLock { $0 } }

  func hear(_ event: CopyEvent) {
    switch event {
    case .failure(let error), .warning(let error): heard.withLock { $0.append(error.problem) }
    default: break
    }
  }
}
