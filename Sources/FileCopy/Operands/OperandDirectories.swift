internal import IOChannelsLocks
import IOChannelsSystem

/// The directories among the operands that were met so far, at most one for each operand.
///
/// A directory that is met again, as an operand or inside of one, is not copied again, as with cp.
final class OperandDirectories: Sendable {
  /// The copy of a directory.
  private struct Copy: Sendable {
    let operand: CopyOperand
    /// The directory that contains the copy.
    let place: FileIdentity
    let name: BytePath
    let path: BytePath
  }

  private let copies = BargingLock<[FileIdentity: Copy]>([:])

  /// Records the directory of an operand, and refuses one that this or an earlier operand is.
  ///
  /// - Throws: A warning for the same name of the destination. For another name the error of cp,
  ///   which would have to create a hard link. A name that is reached by a followed link is no
  ///   error.
  func claim(
    _ directory: FileIdentity,
    for item: CopyItem,
    of operand: CopyOperand
  ) throws(CopyError) {
    let job = item.job
    let place = item.directory.destination.identity
    let found = copies.withLock { copies -> Copy? in
      // Another thread may still copy the contents of an earlier operand.
      if let earlier = copies[directory], earlier.operand.number <= operand.number {
        return earlier
      }
      // A path is composed only for an operand, because that takes long.
      if job.operand != nil {
        copies[directory] = Copy(
          operand: operand,
          place: place,
          name: job.destinationName,
          path: item.destinationPath
        )
      }
      return nil
    }
    guard let found else { return }
    let existing = try? item.pair.destination.status(of: job.destinationName)
    if found.name == job.destinationName && found.place == place {
      if existing?.identity == directory {
        throw CopyError(.intoItself, operand.source, other: operand.destination)
      }
      throw CopyError(.repeatedDirectory, operand.source)
    }
    if item.context.following(for: job) != .nothing { return }
    if let existing, item.context.options.existing.backup == nil, !item.servesAsDirectory(existing)
    {
      throw CopyError(.existingNonDirectory, item.destinationPath, other: item.sourcePath)
    }
    throw CopyError(.linkToDirectory, item.destinationPath, other: found.path)
  }

  /// Forgets an operand whose destination could not be created, so that a further one tries it
  /// again.
  func forget(_ directory: FileIdentity, _ item: CopyItem) {
    guard let operand = item.job.operand else { return }
    copies.withLock { copies in
      if copies[directory]?.operand === operand { copies[directory] = nil }
    }
  }
}
