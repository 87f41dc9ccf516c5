internal import CIOChannelsSystem

/// Free space and the physical layout of files.
extension BorrowedDescriptor {
  /// Returns the number of bytes that the process may still write to the file's file system.
  package func freeSpace() throws(SystemError) -> Int64 {
    Int64(try csys_free_space(rawValue).get())
  }

  /// Returns the number of bytes of the block device.
  package func deviceSize() throws(SystemError) -> Int64 {
    Int64(try csys_device_size(rawValue).get())
  }

  /// Returns at most 64 extents of the file, starting at an offset.
  ///
  /// The kernel writes dirty data first, so that it has an address.
  package func extents(from offset: Int64) throws(SystemError) -> [FileExtent] {
    var found = csys_extents()
    unsafe csys_file_extents(rawValue, UInt64(max(offset, 0)), &found)
    if found.error != 0 { throw SystemError(rawValue: found.error) }
    return (0..<found.count).map { index in
      FileExtent(unsafe csys_extent_at(&found, index))
    }
  }
}

/// A part of a file with its address on the device.
package struct FileExtent: Sendable, Hashable {
  /// The offset of the extent in the file.
  package let offset: Int64
  /// The address of the extent on the device.
  package let place: UInt64
  /// The length in bytes.
  package let length: Int64
  /// The end of the extent, or the largest offset if that is exceeded.
  package var end: Int64 {
    let (end, overflows) = offset.addingReportingOverflow(length)
    return overflows ? .max : end
  }
  /// Whether the extent is shared with another file.
  package let isShared: Bool
  /// Whether the address means nothing, because the extent is not allocated separately yet.
  package let isUnplaced: Bool
  /// Whether the extent is allocated but unwritten, so that it reads as zeros.
  package let isUnwritten: Bool
  /// Whether this is the last extent of the file.
  package let isLast: Bool

  fileprivate init(_ extent: csys_extent) {
    offset = Int64(clamping: extent.logical)
    place = extent.physical
    length = Int64(clamping: extent.length)
    isShared = extent.flags & csys_extent_shared != 0
    isUnplaced = extent.flags & csys_extent_unplaced != 0
    isUnwritten = extent.flags & csys_extent_unwritten != 0
    isLast = extent.flags & csys_extent_last != 0
  }
}
