/// A run of bytes in one place, together with the object that keeps them there.
///
/// It is never empty.
@safe
struct Piece: Sendable {
  /// A `RegionOwner`, kept as an object: its conformance would cost every piece another word.
  let owner: any AnyObject & Sendable
  nonisolated(unsafe) let start: UnsafeRawPointer
  let byteCount: Int

  /// Shows `range` of the owner's memory.
  init(owner: some RegionOwner, range: Range<Int>) {
    precondition(!range.isEmpty, "A region has at least one byte.")
    precondition(
      range.lowerBound >= 0 && range.upperBound <= owner.capacity,
      "The range of a region lies inside its owner's memory."
    )
    unsafe start = UnsafeRawPointer(owner.start + range.lowerBound)
    byteCount = range.count
    self.owner = owner
  }

  private init(owner: any AnyObject & Sendable, start: UnsafeRawPointer, byteCount: Int) {
    self.owner = owner
    unsafe self.start = start
    self.byteCount = byteCount
  }

  /// The bytes, valid while this value is kept.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let span = unsafe RawSpan(_unsafeStart: start, byteCount: byteCount)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The byte at `position`, which is less than `byteCount`.
  subscript(position: Int) -> UInt8 {
    requireUse(position >= 0 && position < byteCount, "A position lies inside its region.", "S50")
    defer { withExtendedLifetime(owner) {} }
    return unsafe start.load(fromByteOffset: position, as: UInt8.self)
  }

  /// Returns the bytes in `range`, which keep the whole owner.
  func trimmed(to range: Range<Int>) -> Piece {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= byteCount && !range.isEmpty,
      "A part of a region is not empty and lies inside it."
    )
    return unsafe Piece(owner: owner, start: start + range.lowerBound, byteCount: range.count)
  }

  /// Returns the offset of the piece's end in its owner's memory.
  func end(in memory: some RegionOwner) -> Int {
    unsafe start + byteCount - UnsafeRawPointer(memory.start)
  }

  /// Returns the same bytes and the `count` bytes after them, which the owner has written.
  func lengthened(by count: Int) -> Piece {
    unsafe Piece(owner: owner, start: start, byteCount: byteCount + count)
  }
}
