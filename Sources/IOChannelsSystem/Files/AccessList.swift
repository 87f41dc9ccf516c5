/// An access control list (POSIX ACL), as the kernel stores it in an extended attribute.
package struct AccessList: Sendable, Hashable {
  /// The attribute with the list that applies to the file itself.
  package static let access: BytePath = "system.posix_acl_access"
  /// The attribute with the default list, which a directory passes on to new entries.
  package static let inherited: BytePath = "system.posix_acl_default"

  /// The value of the attribute.
  package let bytes: [UInt8]

  /// Creates a list from the value of an attribute.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates the list that is equivalent to permission bits.
  package init(permissions: UInt32) {
    bytes =
      [2, 0, 0, 0]
      + [(0x01, 6), (0x04, 3), (0x20, 0)].flatMap { (tag: UInt8, shift: UInt32) in
        [tag, 0, UInt8(permissions >> shift & 7), 0, 0xff, 0xff, 0xff, 0xff] as [UInt8]
      }
  }

  /// The permission bits that a file with this list shows.
  ///
  /// The bits of the group are the list's mask: the most that it grants to any named user or group.
  package var shownPermissions: UInt32 {
    let rights = rights
    return rights.owner << 6 | (rights.mask ?? rights.group) << 3 | rights.other
  }

  /// The most permission bits that grant no user more than the list does, for a file without a
  /// list.
  package var plainPermissions: UInt32 {
    let rights = rights
    return rights.owner << 6 | (rights.group & (rights.mask ?? 7)) << 3 | rights.other
  }

  private struct Rights {
    var owner: UInt32 = 0
    var group: UInt32 = 0
    var other: UInt32 = 0
    var mask: UInt32?
  }

  /// The rights in the entries that name no user or group.
  ///
  /// The value starts with a version of four bytes. Entries of eight bytes follow. Each starts with
  /// the tag and the rights, two bytes each in little-endian order.
  private var rights: Rights {
    var rights = Rights()
    var rest = bytes.dropFirst(4)
    while rest.count >= 8 {
      let entry = Array(rest.prefix(8))
      rest = rest.dropFirst(8)
      let permissions = UInt32(entry[2] & 7)
      switch UInt32(entry[0]) | UInt32(entry[1]) << 8 {
      case 0x01: rights.owner = permissions
      case 0x04: rights.group = permissions
      case 0x10: rights.mask = permissions
      case 0x20: rights.other = permissions
      default: break
      }
    }
    return rights
  }
}
