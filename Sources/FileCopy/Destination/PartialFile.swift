import IOChannelsSystem

/// The rule about large files whose copy a later run continues.
///
/// Such a file has a hidden name while it is copied. The last part of the name is a hash of the
/// final one, so that a later run finds the file again. Its contents prove what it has: they are
/// compared with the source.
enum PartialFile {
  /// The minimum length of a file whose copy is continued. A shorter file is copied again.
  static let minimumLength: Int64 = 4 << 20

  /// Whether the copy of a file can be continued.
  ///
  /// A clone is complete at once, and holes for zeros are created from the start.
  static func isUsed(for source: FileStatus, _ options: CopyOptions) -> Bool {
    options.existing.resumes && options.contents.copiesBytes && source.kind == .regular
      && source.size >= minimumLength && options.contents.clones != .always
      && options.contents.holes != .always
  }

  /// Returns the number in the hidden name of a partial file with a final name (FNV-1a). It is odd.
  static func number(of name: BytePath) -> UInt64 {
    name.bytes.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    } | 1
  }

  /// Whether a file was last changed before a time, in nanoseconds since 1970, by at least the
  /// granularity of the times of all file systems.
  static func isUnchanged(_ found: FileStatus, since time: Int64) -> Bool {
    let second: Int64 = 1_000_000_000
    let (changed, overflows) = found.changed.seconds.multipliedReportingOverflow(by: second)
    return !overflows && changed < time - 3 * second
  }

  /// Whether no other user can have opened a file that an ended copy left.
  ///
  /// A file that has its owner and mode already is copied again, because another user may write to
  /// it.
  static func isClosed(_ found: FileStatus, to user: UInt32) -> Bool {
    found.kind == .regular && found.links == 1 && found.owner == user
      && found.permissions == FileCreator.closedMode
  }
}
