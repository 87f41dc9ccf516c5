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

extension OpenFile {
  /// Examines an open file.
  ///
  /// - Throws: `EBADF` for a number that is not open, `EISDIR` for a directory.
  init(of descriptor: BorrowedDescriptor) throws(SystemError) {
    var size = 0
    let traits = try DescriptorTraits(of: descriptor, size: &size)
    self.init(descriptor: descriptor, traits: traits, size: size)
  }

  /// The length of a file that is small enough to be read on the thread of a task, if it is one.
  var smallSize: Int? {
    traits.kind == .seekable && size < ChannelCore.readAtOnceLimit ? size : nil
  }
}

/// The result of an examination of a descriptor or path.
struct Examination: Sendable {
  /// The open file, nil for a path that is still to be opened.
  let file: OpenFile?
  /// Whether reads and writes of streams share a position.
  let hasPosition: Bool
}
