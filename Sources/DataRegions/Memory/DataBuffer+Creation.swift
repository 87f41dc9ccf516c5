extension DataBuffer {
  /// Copies bytes into one region.
  public init(bytes: RawSpan) {
    unsafe self.init(copying: bytes.byteCount) { unsafe $0.copy(bytes, at: 0) }
  }

  /// Copies memory into one region.
  public init(bytes: UnsafeRawBufferPointer) {
    unsafe self.init(bytes: bytes.bytes)
  }

  /// Copies the bytes of a sequence into one region.
  ///
  /// - Complexity: O(count); a sequence whose bytes do not lie in one place is copied twice.
  @inlinable
  public init(_ bytes: some Sequence<UInt8>) {
    let copied = bytes.withContiguousStorageIfAvailable { storage in
      unsafe DataBuffer(bytes: storage.span.bytes)
    }
    self = unsafe copied ?? DataBuffer(bytes: ContiguousArray(bytes).span.bytes)
  }

  /// Shows memory without copying it, and gives it back after its last use.
  ///
  /// The bytes must not change until then. Empty memory is given back at once.
  ///
  /// - Parameters:
  ///   - bytes: The memory, initialized from its first to its last byte.
  ///   - deallocator: What to do with the memory in the end, exactly once.
  public init(bytesNoCopy bytes: UnsafeRawBufferPointer, deallocator: Deallocator = .free) {
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      unsafe deallocator.giveBack(bytes)
      self.init()
      return
    }
    let owner = unsafe ForeignBytes(start: start, capacity: bytes.count, deallocator: deallocator)
    self.init(owner: owner, range: 0..<bytes.count)
  }

  /// Shows a part of an owner's memory as one region and keeps the owner with it.
  ///
  /// An empty range makes an empty buffer, which keeps nothing.
  package init(owner: some RegionOwner, range: Range<Int>) {
    self.init(range.isEmpty ? .empty : .region(Piece(owner: owner, range: range)))
  }

  /// Makes a buffer of one region with `count` bytes, all of which `fill` initializes.
  private init(copying count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    if count == 0 {
      self.init()
    } else {
      self.init(owner: unsafe CopiedBytes(capacity: count, fill: fill), range: 0..<count)
    }
  }

  /// Returns the same bytes in at most one region.
  ///
  /// - Complexity: O(1) for a buffer of one region, otherwise O(count).
  public func flattened() -> DataBuffer {
    guard case .tree = storage else { return self }
    return unsafe DataBuffer(copying: count) { unsafe copyBytes(to: $0) }
  }
}
