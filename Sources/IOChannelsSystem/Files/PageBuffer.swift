internal import CIOChannelsSystem

/// A byte buffer that starts at a page boundary, where the kernel copies fastest.
@safe
package struct PageBuffer: ~Copyable {
  private let start: UnsafeMutableRawPointer
  package let count: Int

  /// Creates a buffer of zeros with at least one byte. A page takes memory from its first use on.
  ///
  /// If memory is short the buffer has half of the bytes, or fewer, down to one page.
  package init(count: Int) {
    precondition(count > 0, "A buffer has bytes.")
    var room = count
    var memory = unsafe csys_allocate_pages(room)
    while unsafe memory == nil && room > 4096 {
      room = max(room / 2, 4096)
      unsafe memory = csys_allocate_pages(room)
    }
    guard let memory = unsafe memory else { stop(saying: "There is no memory for a buffer.") }
    unsafe start = memory
    self.count = room
  }

  deinit {
    unsafe csys_free_pages(start, count)
  }

  /// The bytes of the buffer.
  package var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(
        _unsafeBytes: UnsafeRawBufferPointer(start: start, count: count)
      )
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Returns a part of the bytes for a write.
  @_lifetime(borrow self)
  package func bytes(_ range: Range<Int>) -> RawSpan {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "A part lies in its buffer.")
    let part = unsafe RawSpan(_unsafeStart: start + range.lowerBound, byteCount: range.count)
    return unsafe _overrideLifetime(part, borrowing: self)
  }

  /// Returns a part of the bytes for a read into it.
  @_lifetime(&self)
  package mutating func room(_ range: Range<Int>) -> MutableRawSpan {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "A part lies in its buffer.")
    let room = unsafe MutableRawSpan(
      _unsafeStart: start + range.lowerBound,
      byteCount: range.count
    )
    return unsafe _overrideLifetime(room, mutating: &self)
  }
}

extension BorrowedDescriptor {
  /// Reads at the file position into a part of a buffer.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  package func read(into buffer: inout PageBuffer, _ range: Range<Int>) throws(SystemError) -> Int {
    var room = buffer.room(range)
    return try read(into: &room)
  }

  /// Reads at most `count` bytes at `offset` into the start of a buffer.
  ///
  /// - Returns: The number of bytes, 0 at the end of the file.
  package func read(
    into buffer: inout PageBuffer,
    count: Int,
    at offset: Int64
  ) throws(SystemError) -> Int {
    var room = buffer.room(0..<count)
    return try read(into: &room, at: offset)
  }
}
