internal import IOChannelsLocks
import IOChannelsSystem

/// The hidden files that ended copies left in directories of the destination, until they are used
/// or removed.
///
/// There are at most as many as jobs of the ended copies.
final class PartialFiles: Sendable {
  private let found = BargingLock<[FileIdentity: [BytePath]]>([:])

  /// Reads the names of a directory by a closure, unless they are known.
  ///
  /// Other threads wait meanwhile, so that none of them misses a name.
  func add(of directory: FileIdentity, _ list: () -> [BytePath]) {
    found.withLock { found in
      if found[directory] == nil { found[directory] = list() }
    }
  }

  /// Takes the name with a number in a directory; nil if there is none.
  func take(_ number: UInt64, of directory: FileIdentity) -> BytePath? {
    found.withLock { found in
      let names = found[directory] ?? []
      let index = names.firstIndex { HiddenNames.number(of: $0) == number }
      return index.flatMap { found[directory]?.remove(at: $0) }
    }
  }

  /// Forgets a directory, and returns its names that were not taken.
  func takeAll(of directory: FileIdentity) -> [BytePath] {
    found.withLock { $0.removeValue(forKey: directory) ?? [] }
  }
}
