import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// The files that are being overwritten, each by one thread at a time.
///
/// Several names of the destination may be one file, by links of either kind. Their copies are
/// written one after the other, so that the file ends as one of them and not as a mixture.
final class OverwrittenFiles: Sendable {
  /// The right to write to a file, which ends with the value.
  struct Turn: ~Copyable {
    private let files: OverwrittenFiles
    private let file: FileIdentity

    fileprivate init(_ files: OverwrittenFiles, _ file: FileIdentity) {
      self.files = files
      self.file = file
    }

    deinit { files.finish(file) }
  }

  private let taken = BargingLock<Set<FileIdentity>>([])
  /// Changes with every end, so that one between looking and sleeping is not lost.
  private let ends = Atomic<UInt32>(0)

  /// Waits until nobody else writes to the file.
  func begin(_ file: FileIdentity) -> Turn {
    while true {
      let seen = ends.load(ordering: .acquiring)
      if taken.withLock({ $0.insert(file).inserted }) { return Turn(self, file) }
      ends.park(while: seen)
    }
  }

  private func finish(_ file: FileIdentity) {
    taken.withLock { taken in _ = taken.remove(file) }
    ends.wrappingAdd(1, ordering: .releasing)
    // Those that wait for other files look again, too: there are hardly ever any.
    ends.unpark(.max)
  }
}
