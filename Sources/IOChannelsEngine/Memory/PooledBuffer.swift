package import DataRegions

/// Page-aligned memory of a `BufferPool`, which returns to the pool with its last reference.
///
/// A part becomes visible as a `DataBuffer` only after the kernel has filled it, and is never
/// written again.
@safe
package final class PooledBuffer: RegionOwner {
  nonisolated(unsafe) package let start: UnsafeMutableRawPointer
  package let capacity: Int
  package var kind: String { "pooled" }
  private let pool: BufferPool
  private let sizeClass: Int

  init(memory: UnsafeMutableRawPointer, capacity: Int, sizeClass: Int, pool: BufferPool) {
    unsafe start = memory
    self.capacity = capacity
    self.pool = pool
    self.sizeClass = sizeClass
  }

  deinit {
    unsafe pool.release(start, sizeClass: sizeClass)
  }

  /// Copies bytes to the start of the memory and returns them as a `DataBuffer`.
  ///
  /// - Precondition: They fit, and no part of the memory is visible yet.
  package func filled(with data: DataBuffer) -> DataBuffer {
    precondition(data.count <= capacity, "The memory has no room for the bytes.")
    unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(start: start, count: data.count))
    return DataBuffer(owner: self, range: 0..<data.count)
  }

  /// Returns a filled part as a `DataBuffer`.
  ///
  /// A part that is less than half of the buffer is copied into memory of its own size, so that a
  /// kept value does not hold much more memory than it has bytes.
  package func filled(_ range: Range<Int>) -> DataBuffer {
    let whole = DataBuffer(owner: self, range: range)
    guard range.count < capacity / 2 else { return whole }
    return whole.regions.first.map { DataBuffer(bytes: $0.bytes) } ?? whole
  }
}
