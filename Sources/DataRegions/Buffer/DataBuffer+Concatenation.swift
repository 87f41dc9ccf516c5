extension DataBuffer {
  /// Adds the bytes of another buffer at the end, without copying them.
  ///
  /// The sum of the counts must fit in `Int`.
  ///
  /// - Complexity: Amortised O(1) for a buffer of up to 32 regions when no other buffer shares
  ///   this one's regions, otherwise O(log regions).
  public mutating func append(_ other: DataBuffer) {
    requireUse(
      !count.addingReportingOverflow(other.count).overflow,
      "The number of bytes of a concatenation fits in Int.",
      "S173"
    )
    switch other.storage {
    case .empty:
      break
    case .region(let piece):
      append(piece)
    case .tree(let tree):
      append(tree)
    }
  }

  /// Creates the concatenation of buffers, in their order, without copying their bytes.
  ///
  /// The sum of the counts must fit in `Int`.
  ///
  /// - Complexity: O(parts) for parts of up to 32 regions, otherwise O(parts · log regions).
  public init(concatenating parts: some Sequence<DataBuffer>) {
    self.init()
    for part in parts { append(part) }
  }

  private mutating func append(_ piece: Piece) {
    switch storage {
    case .empty:
      storage = .region(piece)
    case .region(let first):
      storage = .tree(RegionTree(leaf: [first, piece]))
    case .tree(var tree):
      // While the storage is empty the variable is the only reference, so it grows in place.
      storage = .empty
      tree.append(piece)
      storage = .tree(tree)
    }
  }

  private mutating func append(_ other: RegionTree) {
    switch storage {
    case .empty:
      storage = .tree(other)
    case .region(let piece):
      storage = .tree(.concatenated(RegionTree(leaf: [piece]), other))
    case .tree(var tree):
      storage = .empty
      tree.append(other)
      storage = .tree(tree)
    }
  }

  /// Returns the bytes of the left buffer followed by those of the right one, without copying them.
  ///
  /// The sum of the counts must fit in `Int`.
  ///
  /// - Complexity: O(log regions)
  public static func + (left: DataBuffer, right: DataBuffer) -> DataBuffer {
    var sum = left
    sum.append(right)
    return sum
  }

  /// Returns the bytes of the left buffer without a copy, followed by copies of those of a
  /// sequence.
  ///
  /// - Complexity: O(log regions) and the bytes of the sequence.
  @inlinable
  public static func + (left: DataBuffer, right: some Sequence<UInt8>) -> DataBuffer {
    var sum = left
    sum.append(contentsOf: right)
    return sum
  }

  /// Returns the bytes of the left buffer without a copy, followed by copies of those of an array.
  ///
  /// This overload does the same as the one for all sequences. Without it, the sum with an array
  /// would be an array, to which the bytes of the buffer are copied.
  @inlinable
  public static func + (
    left: DataBuffer,
    right: some RangeReplaceableCollection<UInt8>
  ) -> DataBuffer {
    var sum = left
    sum.append(contentsOf: right)
    return sum
  }

  /// Appends the right buffer to the left one, as `append(_:)` does.
  public static func += (left: inout DataBuffer, right: DataBuffer) {
    left.append(right)
  }
}
