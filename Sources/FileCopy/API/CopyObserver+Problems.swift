internal import IOChannelsLocks

extension CopyObserver {
  /// The maximum number of problems that are remembered. Further ones may be received repeatedly.
  private static let knownLimit = 1000

  /// An observer that receives a problem once, although several destinations report it.
  ///
  /// A problem of a source is the same for all of them. That of a destination has its path.
  var receivingProblemsOnce: CopyObserver {
    let known = BargingLock<Set<CopyError>>([])
    var observer = self
    observer.handle = { event in
      switch event {
      case .warning(let problem), .failure(let problem):
        let isNew = known.withLock { known in
          known.count >= CopyObserver.knownLimit || known.insert(problem).inserted
        }
        if !isNew { return }
      default: break
      }
      handle(event)
    }
    return observer
  }
}
