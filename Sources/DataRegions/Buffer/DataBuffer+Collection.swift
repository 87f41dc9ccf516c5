extension DataBuffer: RandomAccessCollection {
  /// The offset of the first byte, always 0.
  public var startIndex: Int { 0 }

  /// The offset after the last byte.
  public var endIndex: Int { count }

  /// The byte at an offset.
  ///
  /// - Precondition: The offset is not negative and less than `count`.
  /// - Complexity: O(log regions); nothing is copied.
  public subscript(offset: Int) -> UInt8 {
    requireUse(offset >= 0 && offset < count, "The offset lies inside the buffer.", "S50")
    switch storage {
    case .empty: preconditionFailure("An empty buffer has no offset to read at.")
    case .region(let piece): return piece[offset]
    case .tree(let tree): return tree.byte(at: offset)
    }
  }
}
