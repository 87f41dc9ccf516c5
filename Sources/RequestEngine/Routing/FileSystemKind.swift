/// The file systems that the routing table tells apart.
package enum FileSystemKind: Hashable, Sendable, CaseIterable {
  case ext4
  case xfs
  case btrfs
  case tmpfs
  case other

  /// Knows a file system by the magic number of `statfs`.
  package init(magic: UInt32) {
    self =
      switch magic {
      case 0xEF53: .ext4
      case 0x5846_5342: .xfs
      case 0x9123_683E: .btrfs
      case 0x0102_1994: .tmpfs
      default: .other
      }
  }
}
