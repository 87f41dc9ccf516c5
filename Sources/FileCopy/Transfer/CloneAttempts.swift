import IOChannelsSystem

/// Attempts to share the blocks of files between source and destination.
final class CloneAttempts: Sendable {
  private let rule: CloneRule
  private let space: SpaceCheck

  init(_ context: CopyContext, _ space: SpaceCheck) {
    rule = context.options.contents.clones
    self.space = space
  }

  /// Whether sharing the blocks of a file is worth an attempt.
  ///
  /// The kernel shares blocks on disk. It would first write and wait for the pages of a file that
  /// was written a moment ago. A small file of that kind is read from memory instead.
  func isWorthwhile(for source: borrowing SourceFile, _ systems: FileSystemPair) -> Bool {
    if source.status.size == 0 { return false }
    switch systems.clones {
    case .unknown: return true
    case .shared:
      if source.status.size > Int64(CopyPlan.oneShotLimit) { return true }
      // A kernel that does not report unwritten pages is assumed to have none.
      return (try? source.file.unwrittenPages()) ?? 0 == 0
    case .refused: return false
    }
  }

  /// Shares the source's blocks; nil if another method is to be tried.
  func clone(_ files: borrowing FilePair, _ systems: FileSystemPair) throws(DataFailure) -> Int64? {
    do throws(SystemError) {
      do throws(SystemError) {
        try files.clone()
      } catch .invalidArgument where rule == .always {
        // A clone that ends within a block must end where the destination ends.
        try files.destination.setSize(files.status.size)
        try files.clone()
      }
      // The clone of a file that grows has the bytes that were added.
      if files.limit < .max, try files.destination.status().size > files.limit {
        try files.destination.setSize(files.limit)
      }
      files.progress.count(bytes: files.status.size)
      space.noteClone()
      systems.noteClone()
      return files.status.size
    } catch {
      if systems.noteFailedClone(error) && rule != .always { return nil }
      throw DataFailure(side: .cloning, error: error)
    }
  }
}
