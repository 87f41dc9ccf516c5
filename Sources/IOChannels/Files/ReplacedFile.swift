import IOChannelsSystem

/// The attributes of a file that is to be replaced.
struct ReplacedFile: Sendable {
  private let owner: UInt32
  private let group: UInt32
  private let permissions: UInt32
  private let accessList: AccessList?

  /// Reads the attributes. If the access list cannot be read, the group gets the bits of others,
  /// because the bits of the group may then be the mask of a list.
  init(_ status: FileStatus, _ name: BytePath, in directory: BorrowedDescriptor) {
    owner = status.owner
    group = status.group
    do throws(SystemError) {
      let handle = try directory.open(name, [.path, .noFollow])
      accessList = try handle.borrowed.accessList()
      permissions = status.permissions
    } catch {
      accessList = nil
      permissions = Self.withoutGroup(status.permissions)
    }
  }

  /// Sets the owner, group, access list and mode of a new file.
  ///
  /// A process that may not set the owner or group leaves its own. The mode is then without set-ID
  /// bits, and without the group its bits are those of others, so that the new group gets no rights
  /// which the old one had.
  func giveAttributes(to file: BorrowedDescriptor) throws(SystemError) {
    let created = try file.status()
    var keepsGroup = created.group == group
    if !keepsGroup { keepsGroup = try Self.sets(group: group, of: file) }
    var keepsOwner = created.owner == owner
    if !keepsOwner { keepsOwner = try Self.sets(owner: owner, of: file) }
    if let accessList {
      try file.setAttribute(AccessList.access, to: accessList.bytes)
    } else {
      // A default list of the directory has given the new file one.
      try file.removeAccessList(AccessList.access)
    }
    var mode = keepsGroup ? permissions : Self.withoutGroup(permissions)
    if !keepsGroup || !keepsOwner { mode &= 0o777 }
    // A file system without modes refuses to change them.
    if try file.status().permissions != mode { try file.setPermissions(mode) }
  }

  private static func withoutGroup(_ permissions: UInt32) -> UInt32 {
    permissions & 0o7707 | (permissions & 0o7) << 3
  }

  /// Sets the owner or the group; returns false if the process may not.
  private static func sets(
    owner: UInt32 = .max,
    group: UInt32 = .max,
    of file: BorrowedDescriptor
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try file.setOwnerOfHandle(owner, group: group)
      return true
    } catch {
      switch error {
      case .notPermitted, .permissionDenied, .invalidArgument, .notSupported: return false
      default: throw error
      }
    }
  }
}
