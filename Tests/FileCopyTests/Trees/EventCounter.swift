import FileCopy
import Synchronization

/// Counts what an observer hears.
final class EventCounter: Sendable {
  private struct Counts {
    var names: Set<BytePath> = []
    var methods = 0
  }

  private let counts = Mutex(Counts())

  /// How many different destinations were announced.
  var names: Int { counts.withLock { $0.names.count } }
  /// How many methods were told.
  var methods: Int { counts.withLock { $0.methods } }

  func hear(_ event: CopyEvent) {
    counts.withLock { counts in
      switch event {
      case .copying(_, let destination, _): counts.names.insert(destination)
      case .copied(let record): if case .file = record.kind { counts.methods += 1 }
      case .verifying, .removed, .restored, .createdParent, .warning, .failure: break
      case .removedExtraneous: break
      }
    }
  }
}
