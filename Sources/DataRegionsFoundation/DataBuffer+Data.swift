public import DataRegions
public import FoundationEssentials

extension DataBuffer {
  /// Shows the bytes of a `Data` as one region, without copying them.
  ///
  /// The buffer keeps all memory of the `Data`, also what lies outside of a slice. Changing the
  /// `Data` afterwards copies it and leaves the buffer as it is. As few bytes as a `Data` can hold
  /// in itself, without memory of their own, are copied. Keeps S63.
  ///
  /// - Complexity: O(1)
  public init(_ data: Data) {
    guard data.count > MemoryLayout<Data>.size else {
      self.init(copying: data)
      return
    }
    // The address outlives the call: it is that of memory that every copy of this value shares.
    self = unsafe data.withUnsafeBytes { bytes in
      unsafe DataBuffer(
        bytesNoCopy: bytes,
        deallocator: .custom { _ in withExtendedLifetime(data) {} }
      )
    }
  }

  /// Copies bytes by the initializer of every sequence, which the one of `Data` hides.
  private init(copying bytes: some Sequence<UInt8>) {
    self.init(bytes)
  }
}

extension Data {
  /// Shows the bytes of a region without copying them, and keeps the region.
  ///
  /// A `Data` that is changed writes in place when no other value shares its memory; buffers that
  /// show the region would change with it, or the program stops where the memory is read-only.
  /// So this value must never be changed. `Data(_:)` copies and has no such condition.
  ///
  /// The region is let go of once, after the last `Data` that shares its memory, on the thread
  /// that let go of that. As few bytes as a `Data` holds in itself are copied by it, and the
  /// region let go of at once. Keeps S64.
  ///
  /// - Complexity: O(1)
  @unsafe
  public init(bytesNoCopy region: DataBuffer.Region) {
    self = unsafe region.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return Data() }
      return unsafe Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
        count: bytes.count,
        deallocator: .custom { _, _ in withExtendedLifetime(region) {} }
      )
    }
  }

  /// Shows the bytes of a buffer of one region without copying them; several are copied.
  ///
  /// The result must never be changed, as that of one region. Where no copy is wanted at all,
  /// each region of the buffer makes a `Data` of its own.
  ///
  /// - Complexity: O(1) for at most one region, otherwise O(count).
  @unsafe
  public init(bytesNoCopy buffer: DataBuffer) {
    guard let region = buffer.flattened().regions.first else {
      self.init()
      return
    }
    unsafe self.init(bytesNoCopy: region)
  }
}
