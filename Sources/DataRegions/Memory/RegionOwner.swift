/// An object that keeps memory for the buffers that show it, and gives it back in its `deinit`.
///
/// The bytes that a buffer shows must not change while the buffer lives.
package protocol RegionOwner: AnyObject, Sendable {
  /// The first byte of the memory, the same as long as the owner lives.
  var start: UnsafeMutableRawPointer { get }

  /// The number of bytes from `start` on.
  var capacity: Int { get }
}

/// Bytes that were copied into memory of their own.
@safe
final class CopiedBytes: RegionOwner {
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let capacity: Int

  /// Takes `capacity` bytes of memory and lets `fill` initialize all of them.
  init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe start = .allocate(byteCount: capacity, alignment: MemoryLayout<Int>.alignment)
    self.capacity = capacity
    unsafe fill(UnsafeMutableRawBufferPointer(start: start, count: capacity))
  }

  deinit {
    unsafe start.deallocate()
  }
}

/// Bytes that somebody else made, with the way to give them back.
@safe
final class ForeignBytes: RegionOwner {
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let capacity: Int
  private let deallocator: DataBuffer.Deallocator

  init(start: UnsafeRawPointer, capacity: Int, deallocator: DataBuffer.Deallocator) {
    unsafe self.start = UnsafeMutableRawPointer(mutating: start)
    self.capacity = capacity
    self.deallocator = deallocator
  }

  deinit {
    unsafe deallocator.giveBack(UnsafeRawBufferPointer(start: start, count: capacity))
  }
}
