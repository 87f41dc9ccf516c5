internal import IOChannelsLocks
import IOChannelsSystem

/// The resolution of file times in the file systems of a destination.
final class TimeSteps: Sendable {
  private let files: DestinationFiles
  /// The steps in nanoseconds.
  private let known = BargingLock<[UInt64: Int64]>([:])
  /// The maximum number of file systems. Beyond it each file asks again.
  private static let limit = 64

  init(_ files: DestinationFiles) {
    self.files = files
  }

  /// Returns the step in nanoseconds of the times that the destination's file system stores.
  ///
  /// An invisible file shows it. Where none can be created, the file's own times give a guess.
  func step(of found: FileStatus, _ item: CopyItem) -> Int64 {
    let device = found.identity.device
    if let step = known.withLock({ $0[device] }) { return step }
    let guess = OverwritePlan.likelyTimeStep(of: found)
    do throws(CopyError) {
      var target = try files.openInvisible(item, mode: 0o600)
      defer { target.discard(item) }
      guard (try? target.file.setTimes(accessed: .probe, modified: .probe)) != nil,
        let step = (try? target.file.status())?.modified.stepOfProbe
      else { return guess }
      known.withLock { if $0.count < TimeSteps.limit { $0[device] = step } }
      return step
    } catch {
      return guess
    }
  }
}
