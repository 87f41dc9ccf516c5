public import DataRegions
public import FoundationEssentials

extension DataBuffer {
  /// Creates a buffer that refers to the bytes of a `Data` as one region, without copying them.
  ///
  /// The buffer keeps all memory of the `Data`, including the memory outside of a slice. A later
  /// change of the `Data` copies it and leaves the buffer as it is. A short `Data` stores its bytes
  /// inline; these are copied.
  ///
  /// - Complexity: O(1)
  public init(_ data: Data) {
    guard data.count > MemoryLayout<Data>.size else {
      self.init(copying: data)
      return
    }
    // The address outlives the call: it is the address of memory that every copy of this value
    // shares.
    self = unsafe data.withUnsafeBytes { bytes in
      unsafe DataBuffer(
        bytesNoCopy: bytes,
        deallocator: .custom { _ in withExtendedLifetime(data) {} }
      )
    }
  }

  /// Copies bytes with the initializer for any sequence, which the overload for `Data` hides.
  private init(copying bytes: some Sequence<UInt8>) {
    self.init(bytes)
  }
}

extension Data {
  /// Creates a `Data` that refers to the bytes of a region without copying them, and keeps the
  /// region.
  ///
  /// This value must never be changed. A `Data` that is changed writes in place when no other value
  /// shares its memory: the buffers that refer to the region would change too, or the program would
  /// trap where the memory is read-only. `Data(_:)` copies and has no such condition.
  ///
  /// The region is released once, after the last `Data` that shares its memory, on the thread that
  /// released that `Data`. A short `Data` stores its bytes inline: they are copied, and the region
  /// is released at once.
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

  /// Creates a `Data` that refers to the bytes of a buffer of one region without copying them.
  ///
  /// The bytes of several regions are copied.
  ///
  /// The result must never be changed, as with one region. To avoid every copy, create a `Data`
  /// from each region of the buffer.
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
