/// A list of who may do what with a file (POSIX ACL), as the kernel shows it in an attribute.
package struct AccessList: Sendable, Hashable {
  /// The attribute with the list that counts for a file.
  package static let access: BytePath = "system.posix_acl_access"
  /// The attribute with the list that a directory hands on to what is made in it.
  package static let inherited: BytePath = "system.posix_acl_default"

  /// The value of the attribute.
  package let bytes: [UInt8]

  /// Takes over the value of an attribute.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates the list that says no more than permission bits do.
  package init(permissions: UInt32) {
    bytes =
      [2, 0, 0, 0]
      + [(0x01, 6), (0x04, 3), (0x20, 0)].flatMap { (tag: UInt8, shift: UInt32) in
        [tag, 0, UInt8(permissions >> shift & 7), 0, 0xff, 0xff, 0xff, 0xff] as [UInt8]
      }
  }

  /// The permission bits that a file with this list shows, where those of the group are the most
  /// that the list gives to anybody but owner and others.
  package var shownPermissions: UInt32 {
    let rights = rights
    return rights.owner << 6 | (rights.mask ?? rights.group) << 3 | rights.other
  }

  /// The permission bits that give nobody more than the list does where there is no list.
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

  /// The entries that belong to nobody in particular: behind a version in four bytes there are
  /// entries of eight, with tag and rights in two bytes each, in little-endian order.
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
