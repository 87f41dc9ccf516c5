internal import CIOChannelsSystem

/// Free space and places on the disk.
extension BorrowedDescriptor {
  /// How many bytes the process may still write to the file system that holds the file.
  package func freeSpace() throws(SystemError) -> Int64 {
    Int64(try csys_free_space(rawValue).get())
  }

  /// The parts of the file from an offset on, at most 64, with their places on the disk. What was
  /// not written yet is written first.
  package func extents(from offset: Int64) throws(SystemError) -> [FileExtent] {
    var found = csys_extents()
    unsafe csys_file_extents(rawValue, UInt64(max(offset, 0)), &found)
    if found.error != 0 { throw SystemError(rawValue: found.error) }
    return (0..<found.count).map { index in
      FileExtent(unsafe csys_extent_at(&found, index))
    }
  }
}

/// A part of a file and its place on the disk.
package struct FileExtent: Sendable, Hashable {
  /// Where the part begins in the file.
  package let offset: Int64
  /// Where it begins on the disk.
  package let place: UInt64
  /// The length in bytes.
  package let length: Int64
  /// Whether another file has the same place.
  package let isShared: Bool
  /// Whether the place says nothing, for the part has none of its own yet.
  package let isUnplaced: Bool
  /// Whether the part was set aside and never written, so that it reads as zeros.
  package let isUnwritten: Bool
  /// Whether it is the file's last part.
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
