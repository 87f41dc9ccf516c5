import IOChannelsSystem

/// A comparison of the blocks of two files on disk.
struct SharedBlocks {
  private let source: BorrowedDescriptor
  private let destination: BorrowedDescriptor
  private let size: Int64

  init(_ files: borrowing FilePair) {
    source = files.source
    destination = files.destination
    size = files.status.size
  }

  /// Whether both files have the same blocks; false if that is unknown.
  ///
  /// Blocks that were allocated and never written do not count: they read as zeros, as holes do.
  var areAll: Bool {
    var offset: Int64 = 0
    while offset < size {
      guard let below = try? source.extents(from: offset),
        let above = try? destination.extents(from: offset)
      else { return false }
      let (left, right) = (inside(below), inside(above))
      let count = min(left.count, right.count)
      guard left.prefix(count).elementsEqual(right.prefix(count), by: isSame) else { return false }
      if isEnd(below) && isEnd(above) { return left.count == right.count }
      guard count > 0, left[count - 1].end > offset else { return false }
      offset = left[count - 1].end
    }
    return true
  }

  private func inside(_ extents: [FileExtent]) -> [FileExtent] {
    extents.filter { $0.offset < size && !$0.isUnwritten }
  }

  /// Whether no extent of the file follows.
  private func isEnd(_ extents: [FileExtent]) -> Bool {
    guard let last = extents.last else { return true }
    return last.isLast || last.offset >= size
  }

  private func isSame(_ one: FileExtent, _ other: FileExtent) -> Bool {
    let room = size - one.offset
    return one.offset == other.offset && one.place == other.place
      && min(one.length, room) == min(other.length, room)
      && other.isShared && !one.isUnplaced && !other.isUnplaced
  }
}
