import QueueRuntime
import Synchronization
import SystemCalls

extension CopySession {
  /// Whether sharing a file's blocks is worth trying.
  ///
  /// The kernel shares what is on the disk: of a file that was written a moment ago it would write
  /// the bytes first, and wait for the disk. A small one of that kind is read, out of memory.
  func mayClone(
    _ source: BorrowedDescriptor,
    _ status: FileStatus,
    _ answer: CloneSupport.Answer
  ) -> Bool {
    if status.size == 0 { return false }
    switch answer {
    case .unknown: return true
    case .shares:
      if status.size > Int64(CopyPlan.oneShotLimit) { return true }
      // A kernel that does not tell is taken at its word that it shares.
      return (try? source.unwrittenPages()) ?? 0 == 0
    case .refuses: return false
    }
  }

  /// Shares the source's blocks; nil where something else is to be tried.
  func clone(
    _ ends: CopyEnds,
    _ devices: CloneSupport.Pair
  ) throws(DataFailure) -> Int64? {
    do throws(Errno) {
      do throws(Errno) {
        try ends.clone()
      } catch .invalidArgument where options.clones == .always {
        // Behind an end within a block nothing can stand.
        try ends.destination.setSize(ends.status.size)
        try ends.clone()
      }
      monitor.count(bytes: ends.status.size)
      hasCloned.store(true, ordering: .relaxed)
      clones.withLock { $0.noteClone(devices) }
      return ends.status.size
    } catch {
      let isRefusal = clones.withLock { $0.isRefusal(error, of: devices) }
      if isRefusal && options.clones != .always { return nil }
      throw DataFailure(side: .cloning, error: error)
    }
  }
}
