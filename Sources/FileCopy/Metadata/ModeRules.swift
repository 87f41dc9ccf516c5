import IOChannelsSystem

/// The permission bits with which files and directories are created.
struct ModeRules: Sendable {
  private let preserved: PreservedAttributes
  private let usesPlainModes: Bool
  private let isSuperuser: Bool
  /// The permission bits that new files do not get, where modes are not preserved.
  private let mask: UInt32

  init(_ options: CopyOptions, mask: @autoclosure () -> UInt32, isSuperuser: Bool) {
    preserved = options.metadata.preserved
    usesPlainModes = options.metadata.usesPlainModes
    self.isSuperuser = isSuperuser
    // Reading the mask is a system call.
    self.mask = preserved.contains(.mode) ? 0 : mask()
  }

  /// Whether new files lose an access list that they have inherited, although modes are not
  /// preserved.
  ///
  /// As with cp, a plain mode is the mode of the mask, and a default access list grants nothing.
  var dropsInheritedLists: Bool { usesPlainModes && !preserved.contains(.mode) }

  /// Returns the permission bits that new files do not get in a directory whose default access list
  /// leaves them `defaultAccess`; nil without such a list.
  ///
  /// A directory on the path of an operand keeps the rights of the list even if others lose it.
  func creationMask(under defaultAccess: UInt32?, isOnPath: Bool = false) -> UInt32 {
    if preserved.contains(.mode) { return 0 }
    if dropsInheritedLists && !isOnPath { return mask }
    return defaultAccess.map { ~$0 & 0o777 } ?? mask
  }

  /// Returns the permission bits of a new file before the mask, where modes are not preserved.
  ///
  /// Plain modes include the special bits of the source, with which cp creates files other than
  /// regular ones.
  func plainPermissions(for source: FileStatus) -> UInt32 {
    guard usesPlainModes else { return source.permissions }
    let special = source.permissions & 0o7000
    switch source.kind {
    case .directory, .socket: return 0o777 | special
    default: return 0o666 | special
    }
  }

  /// Returns the mode with which a directory is created. Until it is complete only its owner can
  /// write to it.
  func openingMode(for source: FileStatus) -> UInt32 {
    let closed: UInt32 = preserved.isDisjoint(with: [.ownership, .mode]) ? 0o022 : 0o077
    return plainPermissions(for: source) & 0o1777 & ~closed | 0o700
  }

  /// Returns the mode with which a file is created where a later change is refused, as cp does.
  func creationMode(for source: FileStatus, in directory: CopyDirectory) -> UInt32 {
    let plain = plainPermissions(for: source) & 0o777
    // A default access list of the directory would grant rights that the source does not grant.
    let hasList = preserved.contains(.mode) && directory.defaultAccess != nil
    if !preserved.contains(.ownership) && !hasList { return plain }
    // Attributes can be set only on a file that its owner may write to.
    let setsAttributes = preserved.contains(.extendedAttributes) && !isSuperuser
    return plain & 0o700 | (setsAttributes ? 0o200 : 0)
  }

  /// Returns the mode with which a FIFO, socket or device is created.
  ///
  /// Its special bits are those of the source, as with cp, unless the mode is set later. A change
  /// of the owner would clear some of them.
  func specialMode(for source: FileStatus) -> UInt32 {
    let created: UInt32 = preserved.isDisjoint(with: [.ownership, .mode]) ? 0o7777 : 0o700
    return source.mode & ~0o7777 | plainPermissions(for: source) & created
  }
}
