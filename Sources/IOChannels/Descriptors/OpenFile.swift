import IOChannelsEngine
import IOChannelsSystem

/// An open descriptor and its properties.
struct OpenFile: Sendable {
  let descriptor: BorrowedDescriptor
  let traits: DescriptorTraits
  /// The length of the file when it was examined: accurate enough to plan reads.
  let size: Int
  /// The offset from which the offsets of a random channel count.
  var base: Int64 = 0
  /// Whether no other operation was running when the operation with this file began.
  var isUnshared = false
  /// Whether the operation with this file searches for its bytes in the page cache.
  var searchesCache = false

  /// Returns the file offset of a random channel's offset.
  ///
  /// - Throws: `EINVAL` for an offset that no file has.
  func position(of offset: Int64) throws(SystemError) -> Int64 {
    let (position, isOverflow) = base.addingReportingOverflow(offset)
    if isOverflow || position < 0 { throw .invalidArgument }
    return position
  }
}

/// The result of an examination of a descriptor or path.
struct Examination: Sendable {
  /// The open file, nil for a path that is still to be opened.
  let file: OpenFile?
  /// Whether reads and writes of streams share a position.
  let hasPosition: Bool
}
