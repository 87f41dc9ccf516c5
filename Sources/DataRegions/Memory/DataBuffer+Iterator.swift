extension DataBuffer {
  /// Returns an iterator over all bytes.
  ///
  /// The iterator keeps their memory.
  public func makeIterator() -> Iterator { Iterator(regions.makeIterator()) }

  /// An iterator over the bytes of a buffer.
  ///
  /// - Complexity: Amortised O(1) a byte.
  @safe
  public struct Iterator: IteratorProtocol, Sequence, @unchecked Sendable {
    /// The next byte, when `remaining` is not 0.
    @usableFromInline
    var cursor: UnsafeRawPointer?

    /// The number of bytes from `cursor` on in its region.
    @usableFromInline
    var remaining = 0

    /// The regions after the one of `cursor`; the iterator keeps the memory of all.
    @usableFromInline
    var regions: Regions.Iterator

    init(_ regions: Regions.Iterator) {
      self.regions = regions
    }

    /// Returns the next byte, or `nil` after the last one.
    @inlinable
    public mutating func next() -> UInt8? {
      if remaining == 0 { enterNextRegion() }
      guard remaining > 0, let byte = unsafe cursor else { return nil }
      defer { withExtendedLifetime(regions) {} }
      remaining -= 1
      unsafe cursor = byte + 1
      return unsafe byte.load(as: UInt8.self)
    }

    @usableFromInline
    mutating func enterNextRegion() {
      guard let region = regions.next() else { return }
      unsafe cursor = region.start
      remaining = region.count
    }
  }
}
