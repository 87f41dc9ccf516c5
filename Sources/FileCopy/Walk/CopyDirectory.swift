import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A directory that is being copied, or the place that holds the operands.
///
/// What it is stays; what changes are its descriptors, which may be closed and opened again, and
/// the count of what is left to do in it.
final class CopyDirectory: Sendable {
  /// The directory around it, nil for the place of the operands.
  let parent: CopyDirectory?
  let operand: CopyOperand
  /// The name in the parent; the path as it was given when there is no parent.
  let sourceName: BytePath
  let destinationName: BytePath
  let source: FileStatus
  /// As it was when it was opened for the copy.
  let destination: FileStatus
  /// Whether this copy made the destination.
  let isNew: Bool
  /// Whether the destination is not there, and its descriptor is another one of the source.
  let isImagined: Bool
  /// The permission bits that the destination's default access list leaves to new files, nil when
  /// there is none and the process's mask counts.
  var defaultAccess: UInt32? { access.withLock { $0 } }
  /// Whether the source may be reached through a symbolic link.
  let followsSource: Bool
  /// Whether the destination may be reached through one.
  let followsDestination: Bool

  let descriptors = BargingLock(DirectoryDescriptors())
  private let access: BargingLock<UInt32?>
  private let unfinished = Atomic<Int>(1)
  private let described = Atomic<Bool>(true)
  private let wasCleared: Atomic<Bool>
  private let newcomer = Atomic<UInt64>(CopyDirectory.unknownNewcomer)
  private static let unknownNewcomer = UInt64.max

  init(
    parent: CopyDirectory?,
    operand: CopyOperand,
    sourceName: BytePath,
    destinationName: BytePath,
    source: FileStatus,
    destination: FileStatus,
    isNew: Bool,
    isImagined: Bool = false,
    defaultAccess: UInt32?,
    followsSource: Bool,
    followsDestination: Bool
  ) {
    self.parent = parent
    self.operand = operand
    self.sourceName = sourceName
    self.destinationName = destinationName
    self.source = source
    self.destination = destination
    self.isNew = isNew
    self.isImagined = isImagined
    wasCleared = Atomic(isNew)
    access = BargingLock(defaultAccess)
    self.followsSource = followsSource
    self.followsDestination = followsDestination
  }

  /// Whether the destination gets the source's description when it is complete.
  var isDescribed: Bool { described.load(ordering: .relaxed) }

  /// Leaves the destination's description as it is; for a directory in which nothing is begun yet.
  func keepDescription() {
    described.store(false, ordering: .relaxed)
  }

  /// One more thing has to be done before the directory is complete.
  func begin() {
    unfinished.wrappingAdd(1, ordering: .relaxed)
  }

  /// One thing is done.
  ///
  /// - Returns: Whether it was the last one.
  func end() -> Bool {
    unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Whether nobody has looked yet for what copies that were killed left in the destination.
  ///
  /// True once, and never for a directory that this copy made.
  func takeClearing() -> Bool {
    !wasCleared.load(ordering: .relaxed) && !wasCleared.exchange(true, ordering: .relaxed)
  }

  /// Owner and group that the file system gives to new files in the destination, once known.
  var newcomerOwner: (owner: UInt32, group: UInt32)? {
    let packed = newcomer.load(ordering: .relaxed)
    if packed == CopyDirectory.unknownNewcomer { return nil }
    return (UInt32(packed >> 32), UInt32(truncatingIfNeeded: packed))
  }

  /// Remembers whom a new file was given to.
  func learnNewcomer(owner: UInt32, group: UInt32) {
    newcomer.store(UInt64(owner) << 32 | UInt64(group), ordering: .relaxed)
  }

  /// Replaces the attributes that new files inherit in the destination.
  ///
  /// Its own attributes have just changed: an operand that ends in a dot is the destination itself.
  func resetInheritedAttributes(defaultAccess: UInt32?) {
    access.withLock { $0 = defaultAccess }
    newcomer.store(CopyDirectory.unknownNewcomer, ordering: .relaxed)
  }

  /// The path of a name inside the source, for people.
  func sourcePath(_ name: BytePath) -> BytePath { path(to: name, by: \.sourceName) }

  /// The path of a name inside the destination, for people.
  func destinationPath(_ name: BytePath) -> BytePath { path(to: name, by: \.destinationName) }

  private func path(to name: BytePath, by own: KeyPath<CopyDirectory, BytePath>) -> BytePath {
    var names: [BytePath] = []
    var directory: CopyDirectory? = self
    while let current = directory {
      names.append(current[keyPath: own])
      directory = current.parent
    }
    var bytes: [UInt8] = []
    for part in names.reversed() + [name] where !part.isEmpty {
      if let last = bytes.last, last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += part.bytes
    }
    return BytePath(bytes: bytes)
  }
}

/// One of the sources that were named, and the directory that was made for it.
final class CopyOperand: Sendable {
  let source: BytePath
  let destination: BytePath
  private let top = BargingLock<FileIdentity?>(nil)
  private let made = Atomic<Bool>(false)

  init(source: BytePath, destination: BytePath) {
    self.source = source
    self.destination = destination
  }

  /// Whether something came to be under the destination's name.
  var isMade: Bool { made.load(ordering: .acquiring) }

  func setMade() {
    made.store(true, ordering: .releasing)
  }

  /// Remembers the topmost directory of the destination; only the first call does something.
  func setTop(_ identity: FileIdentity) {
    top.withLock { top in top = top ?? identity }
  }

  /// Whether a directory of the source is the very one that is copied to.
  func isTop(_ identity: FileIdentity) -> Bool {
    top.withLock { $0 == identity }
  }
}
