extension DataBuffer {
  /// Copies bytes into one region.
  public init(bytes: RawSpan) {
    guard !bytes.isEmpty else {
      self.init()
      return
    }
    let memory = CopiedBytes(capacity: bytes.byteCount)
    unsafe memory.all.copy(bytes, at: 0)
    self.init(owner: memory, range: 0..<memory.capacity)
  }

  /// Creates a buffer of one region, which a function fills.
  ///
  /// The function may write fewer bytes than the capacity. When they fill less than half of it they
  /// are copied to memory of their exact size. When the function throws, the memory is freed.
  ///
  /// - Parameters:
  ///   - rawCapacity: The capacity in bytes, not negative.
  ///   - fill: A function that writes into the span; it is called once.
  /// - Throws: The error of `fill`.
  public init<Failure>(
    rawCapacity: Int,
    initializingWith fill: (inout OutputRawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    requireUse(rawCapacity >= 0, "The capacity of a buffer is not negative.", "S173")
    let memory = CopiedBytes(capacity: rawCapacity)
    var output = unsafe OutputRawSpan(buffer: memory.all, initializedCount: 0)
    try fill(&output)
    let count = unsafe output.finalize(for: memory.all)
    self.init(owner: memory, range: 0..<count)
    if case .region(let piece) = storage, count < rawCapacity - count {
      self.init(bytes: piece.bytes)
    }
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

  /// Creates a buffer that refers to memory without copying it, and frees the memory after its last
  /// use.
  ///
  /// The bytes must not change before the memory is freed. Empty memory is freed at once.
  ///
  /// - Parameters:
  ///   - bytes: The memory, initialized from its first to its last byte.
  ///   - deallocator: The way to free the memory, used exactly once.
  public init(bytesNoCopy bytes: UnsafeRawBufferPointer, deallocator: Deallocator = .free) {
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      unsafe deallocator.giveBack(bytes)
      self.init()
      return
    }
    let owner = unsafe ForeignBytes(start: start, capacity: bytes.count, deallocator: deallocator)
    self.init(owner: owner, range: 0..<bytes.count)
  }

  /// Shows a part of an owner's memory as one region and keeps the owner.
  ///
  /// An empty range creates an empty buffer, which does not keep the owner.
  package init(owner: some RegionOwner, range: Range<Int>) {
    self.init(range.isEmpty ? .empty : .region(Piece(owner: owner, range: range)))
  }

  /// Returns the same bytes in at most one region.
  ///
  /// - Complexity: O(1) for a buffer of one region, otherwise O(count).
  public func flattened() -> DataBuffer {
    guard case .tree(let tree) = storage else { return self }
    let memory = CopiedBytes(capacity: tree.byteCount)
    unsafe copyBytes(to: memory.all)
    return DataBuffer(owner: memory, range: 0..<memory.capacity)
  }
}
