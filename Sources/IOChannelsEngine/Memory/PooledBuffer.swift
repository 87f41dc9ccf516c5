package import DataRegions

/// Memory of a `BufferPool`, page-aligned, that goes back there with its last user.
///
/// Its bytes are shown as a `DataBuffer` only after the kernel has written them; from then on that
/// part is never written again.
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
    unsafe pool.giveBack(start, sizeClass: sizeClass)
  }

  /// Copies bytes to the start of the memory, and shows them.
  ///
  /// - Precondition: There is room for them, and nothing was shown before.
  package func filled(with data: DataBuffer) -> DataBuffer {
    precondition(data.count <= capacity, "The memory has no room for the bytes.")
    unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(start: start, count: data.count))
    return DataBuffer(owner: self, range: 0..<data.count)
  }

  /// Shows the bytes of a part that has been filled.
  ///
  /// The part is copied into memory of its own size when it is less than half of the buffer, so
  /// that a kept value does not hold much more memory than it has bytes.
  package func filled(_ range: Range<Int>) -> DataBuffer {
    let whole = DataBuffer(owner: self, range: range)
    guard range.count < capacity / 2 else { return whole }
    return whole.regions.first.map { DataBuffer(bytes: $0.bytes) } ?? whole
  }
}
