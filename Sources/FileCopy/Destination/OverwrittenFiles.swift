internal import IOChannelsLocks
import IOChannelsSystem
import QueueRuntime
import Synchronization

/// The files that are being overwritten, each by one thread at a time.
///
/// Several names of the destination may be one file, by links of either kind. Their copies are
/// written one after the other, so that the file ends as one of them and not as a mixture.
final class OverwrittenFiles: Sendable {
  /// The right to write to a file, which ends with the value.
  struct Claim: ~Copyable {
    private let files: OverwrittenFiles
    private let file: FileIdentity

    fileprivate init(_ files: OverwrittenFiles, _ file: FileIdentity) {
      self.files = files
      self.file = file
    }

    deinit { files.release(file) }
  }

  private let claimed = BargingLock<Set<FileIdentity>>([])
  /// Changes with every release, so that one between the check and the wait is not missed.
  private let releases = Atomic<UInt32>(0)

  /// Waits until no other thread writes to the file.
  func claim(_ file: FileIdentity) -> Claim {
    while true {
      let seen = releases.load(ordering: .acquiring)
      if claimed.withLock({ $0.insert(file).inserted }) { return Claim(self, file) }
      releases.park(while: seen)
    }
  }

  private func release(_ file: FileIdentity) {
    claimed.withLock { claimed in _ = claimed.remove(file) }
    releases.wrappingAdd(1, ordering: .releasing)
    // Threads that wait for other files check again, too; they are rare.
    releases.unpark(.max)
  }
}
