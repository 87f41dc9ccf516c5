internal import IOChannelsLocks
import IOChannelsSystem

/// The sources that several destinations read, and then drop from the page cache.
///
/// The pages of a source may be those that another destination has just read. So the first
/// destination that opens a source decides whether it stays in the page cache.
final class CachedSources: Sendable {
  private struct Source {
    /// The number of copies that have the file open.
    var users = 0
    /// Whether the file was in the page cache before the first of them read it.
    let wasInMemory: Bool
  }

  private let open = BargingLock<[FileIdentity: Source]>([:])

  /// Records that a copy reads an open source, until ``end(_:)``.
  ///
  /// - Returns: Whether the file was in the page cache before this copy and those that still read
  ///   it.
  func begin(_ source: BorrowedDescriptor, _ identity: FileIdentity) -> Bool {
    open.withLock { open in
      // Another copy could read the file between the check and its record.
      var found = open[identity] ?? Source(wasInMemory: source.isInMemory(at: 0))
      found.users += 1
      open[identity] = found
      return found.wasInMemory
    }
  }

  /// Records that a copy has dropped the pages of a source.
  func end(_ identity: FileIdentity) {
    open.withLock { open in
      guard let found = open[identity] else { return }
      if found.users > 1 { open[identity]?.users -= 1 } else { open[identity] = nil }
    }
  }
}
