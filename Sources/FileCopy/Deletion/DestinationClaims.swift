import IOChannelsSystem

/// The destinations of the directories inside the directories that are being copied.
///
/// Two sources of one directory may have one destination, where the file system of the destination
/// does not distinguish their names. Each source lacks the entries of the other one.
struct DestinationClaims {
  private var claimed: [ObjectIdentifier: Set<FileIdentity>] = [:]
  private var shared: Set<ObjectIdentifier> = []
  private var passages: Set<FileIdentity> = []

  /// Records the destination of a directory inside `parent`.
  mutating func claim(_ destination: FileIdentity, in parent: ObjectIdentifier) {
    let isNew = claimed[parent, default: []].insert(destination).inserted
    if !isNew { shared.insert(parent) }
  }

  /// Records the destination of a directory on the path of an operand.
  mutating func claim(passage destination: FileIdentity) { passages.insert(destination) }

  /// Whether a directory has the destination of another operand, or leads to it.
  func isPassage(_ destination: FileIdentity) -> Bool { passages.contains(destination) }

  /// Whether two directories inside `parent` have one destination.
  func isShared(in parent: ObjectIdentifier) -> Bool { shared.contains(parent) }

  /// Forgets the directories inside one that is complete.
  mutating func forget(in parent: ObjectIdentifier) {
    claimed[parent] = nil
    shared.remove(parent)
  }
}
