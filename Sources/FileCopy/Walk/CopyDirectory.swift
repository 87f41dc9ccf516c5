import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A directory that is being copied, or the root that holds the operands.
///
/// Its identity is constant. Its descriptors may be closed and opened again, and the count of its
/// unfinished work changes.
final class CopyDirectory: Sendable {
  /// The parent directory; nil for the root of the operands.
  let parent: CopyDirectory?
  let operand: CopyOperand
  /// The name in the parent; without a parent, the path as it was given.
  let sourceName: BytePath
  let destinationName: BytePath
  let source: FileStatus
  /// The status of the destination when it was opened for the copy.
  let destination: FileStatus
  /// The file systems of the source and of the destination.
  let systems: FileSystemPair
  /// The earliest change among the directories of the operand from the topmost one to this one, as
  /// each was opened at the destination.
  let oldestChange: FileTime
  /// The number of directories above this one.
  let depth: Int
  /// Whether this copy created the destination.
  let isNew: Bool
  /// Whether this is a dry run and the destination does not exist.
  ///
  /// Its descriptor is then another one of the source.
  let isImagined: Bool
  /// The permission bits that the default access list of the destination leaves to new files.
  ///
  /// Nil if there is no such list, so that the mask of the process applies. Another user who owns
  /// the destination may have changed the list since.
  var defaultAccess: UInt32? { access.withLock { $0 } }
  /// Whether the permissions of the existing destination were widened, until it is complete.
  let isWidened: Bool
  /// The mount of the destination; nil unless entries are removed from it, or if it is unknown.
  let mount: Int64?
  /// Whether the destination is on another mount than that of its operand, or may be. Nothing is
  /// removed from it.
  let isBeyondMount: Bool
  /// Whether the source may be reached through a symbolic link.
  let followsSource: Bool
  /// Whether the destination may be reached through a symbolic link.
  let followsDestination: Bool
  /// The filter for the names in the source.
  let scope: FilterScope
  /// Whether this is the directory of the operands, and contains the destination of the only one
  /// under its own name.
  let isBesideCopy: Bool
  /// Whether the filter may leave out names.
  let isFiltered: Bool

  let descriptors = BargingLock(DirectoryDescriptors())
  /// The changes of the destination that only this user can make.
  let control: KnownControl
  private let access: BargingLock<UInt32?>
  private let unfinished = Atomic<Int>(1)
  private let marks = Atomic<UInt8>(0)
  /// The owner and group of new files, packed into one value.
  private let newOwner = Atomic<UInt64>(CopyDirectory.unknownOwner)
  private static let unknownOwner = UInt64.max
  /// The greatest depth. The directories from the root to the deepest one are in memory, and take
  /// 0.7 KB each.
  static let depthLimit = 500_000

  init(
    parent: CopyDirectory?,
    operand: CopyOperand,
    sourceName: BytePath,
    destinationName: BytePath,
    source: FileStatus,
    destination: FileStatus,
    systems: FileSystemPair,
    isNew: Bool,
    user: UInt32,
    releases: UInt64? = nil,
    isImagined: Bool = false,
    isWidened: Bool = false,
    mount: Int64? = nil,
    isBeyondMount: Bool = false,
    defaultAccess: UInt32?,
    followsSource: Bool,
    followsDestination: Bool,
    scope: FilterScope = FilterScope(),
    isBesideCopy: Bool = false
  ) {
    self.parent = parent
    self.operand = operand
    self.sourceName = sourceName
    self.destinationName = destinationName
    self.source = source
    self.destination = destination
    self.systems = systems
    let outer = parent.flatMap { $0.operand === operand ? $0.oldestChange : nil }
    oldestChange = outer.map { min($0, destination.changed) } ?? destination.changed
    depth = parent.map { $0.depth + 1 } ?? 0
    self.isNew = isNew
    control = KnownControl(DirectoryControl(of: destination, for: user), after: releases)
    self.isImagined = isImagined
    self.isWidened = isWidened
    self.mount = mount
    self.isBeyondMount = isBeyondMount
    access = BargingLock(defaultAccess)
    self.followsSource = followsSource
    self.followsDestination = followsDestination
    self.scope = scope
    self.isBesideCopy = isBesideCopy
    isFiltered = scope.mayLeaveOut
  }

  /// Whether this is the directory of an operand, or the root that holds all operands.
  var isTop: Bool { parent.map { $0.operand !== operand } ?? true }

  /// Whether this is a directory on the path of an operand, whose contents are not copied.
  var isOnPath: Bool { parent != nil && operand.number == 0 }

  /// Adds a unit of work that must end before the directory is complete.
  func begin() {
    unfinished.wrappingAdd(1, ordering: .relaxed)
  }

  /// Ends a unit of work.
  ///
  /// - Returns: Whether it was the last one.
  func end() -> Bool {
    unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// A property that a directory gets during the copy and does not lose.
  enum Mark: UInt8 {
    /// The destination keeps its metadata. It is set before the work in the directory begins.
    case keepsMetadata = 1
    /// The files that killed copies left in the destination are removed.
    case cleanedUp = 2
    /// The destination has no two spellings of one name.
    case distinguishesNames = 4
    /// The names in the source are read.
    case listed = 8
    /// All names in the source were read without an error.
    case listedCompletely = 16
  }

  func has(_ mark: Mark) -> Bool { marks.load(ordering: .relaxed) & mark.rawValue != 0 }

  /// Sets a mark.
  ///
  /// - Returns: Whether the directory did not have it before.
  @discardableResult func set(_ mark: Mark) -> Bool {
    if has(mark) { return false }
    return marks.bitwiseOr(mark.rawValue, ordering: .relaxed).oldValue & mark.rawValue == 0
  }

  /// The owner and group that the file system gives to new files in the destination, once known.
  ///
  /// Another user who owns the destination may have changed the group since.
  var newFileOwner: (owner: UInt32, group: UInt32)? {
    let packed = newOwner.load(ordering: .relaxed)
    if packed == CopyDirectory.unknownOwner { return nil }
    return (UInt32(packed >> 32), UInt32(truncatingIfNeeded: packed))
  }

  /// Records the owner and group of a new file.
  func recordNewFileOwner(owner: UInt32, group: UInt32) {
    newOwner.store(UInt64(owner) << 32 | UInt64(group), ordering: .relaxed)
  }

  /// Replaces the attributes that new files in the destination inherit.
  ///
  /// It is called after the destination's own attributes have changed. That happens for an operand
  /// that ends in a dot, which is copied to the destination itself.
  func resetInheritedAttributes(defaultAccess: UInt32?) {
    access.withLock { $0 = defaultAccess }
    newOwner.store(CopyDirectory.unknownOwner, ordering: .relaxed)
  }

  /// Returns the path of a name inside the source, for messages.
  func sourcePath(_ name: BytePath) -> BytePath { path(to: name) { $0.sourceName } }

  /// Returns the path of a name inside the destination, for messages.
  func destinationPath(_ name: BytePath) -> BytePath { path(to: name) { $0.destinationName } }

  private func path(to name: BytePath, own: (CopyDirectory) -> BytePath) -> BytePath {
    var names: [BytePath] = []
    var directory: CopyDirectory? = self
    while let current = directory {
      names.append(own(current))
      directory = current.parent
    }
    var bytes: [UInt8] = []
    for part in names.reversed() + [name] where !part.isEmpty {
      if let last = bytes.last, last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += part.bytes
    }
    return BytePath(bytes: bytes[...])
  }
}

extension CopyDirectory {
  /// Returns the path of a name below the directory that the sources are copied into, without dots.
  ///
  /// If the only source got the name of the destination, the path begins below its copy. So it does
  /// not depend on the paths of the command line.
  func pathInCopy(_ name: BytePath) -> BytePath {
    var names = [name]
    var directory = self
    while let parent = directory.parent, !parent.isBesideCopy {
      names.append(directory.destinationName)
      directory = parent
    }
    var parts: [ArraySlice<UInt8>] = []
    for part in names.reversed().flatMap({ $0.bytes.split(separator: UInt8(ascii: "/")) }) {
      if part.elementsEqual(".".utf8) { continue }
      // The directories of a path that is kept contain dots.
      if part.elementsEqual("..".utf8) && !parts.isEmpty {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return BytePath(bytes: parts.joined(separator: [UInt8(ascii: "/")]))
  }
}

/// A source that the user named, and its destination.
final class CopyOperand: Sendable {
  let source: BytePath
  let destination: BytePath
  /// The position among the operands.
  let number: Int
  private let top = BargingLock<FileIdentity?>(nil)
  private let created = Atomic<Bool>(false)

  init(source: BytePath, destination: BytePath, number: Int = 0) {
    self.source = source
    self.destination = destination
    self.number = number
  }

  /// Whether this copy created an entry under the destination's name.
  var isCreated: Bool { created.load(ordering: .acquiring) }

  func setCreated() {
    created.store(true, ordering: .releasing)
  }

  /// Records the topmost directory of the destination. Only the first call has an effect.
  ///
  /// - Returns: Whether this was the first call.
  func setTop(_ identity: FileIdentity) -> Bool {
    top.withLock { top in
      let isFirst = top == nil
      top = top ?? identity
      return isFirst
    }
  }

  /// Whether a directory of the source is the topmost directory of the destination.
  func isTop(_ identity: FileIdentity) -> Bool {
    top.withLock { $0 == identity }
  }
}
