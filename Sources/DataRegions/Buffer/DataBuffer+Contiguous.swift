extension DataBuffer {
  /// Joins the bytes in at most one region.
  ///
  /// - Complexity: O(1) for a buffer of one region; the bytes of several are copied once.
  public mutating func makeContiguous() {
    self = flattened()
  }

  /// Calls a function with the bytes in contiguous memory.
  ///
  /// The result of the copy is not kept. Call `makeContiguous()` first when you need it more than
  /// once.
  ///
  /// - Complexity: O(1) for a buffer of one region; the bytes of several are copied first.
  public func withContiguousBytes<Result: ~Copyable, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard case .region(let piece) = flattened().storage else { return try body(RawSpan()) }
    return try body(piece.bytes)
  }
}
