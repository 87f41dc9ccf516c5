import CIOChannelsSystem
internal import IOChannelsLocks
import QueueRuntime

/// A pool of page-aligned memory in a few sizes, which is reused instead of unmapped.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than copying into it. The pool
/// keeps at most `cachedBytesLimit` unused bytes. Beyond that it frees the buffers that were unused
/// for the longest time.
package final class BufferPool: Sendable {
  /// The sizes of buffers in ascending order, all powers of two.
  ///
  /// So a full request fills at least half of its buffer.
  package static let classes = (12...20).map { 1 << $0 }

  private static let sharedLimit = 64 << 20
  package static let shared = BufferPool(cachedBytesLimit: sharedLimit)

  private let refuses: (@Sendable () -> Bool)?
  private let cache: BargingLock<BufferCache<Memory>>

  /// The address of a buffer.
  @safe
  private struct Memory: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
  }

  /// Creates an empty pool.
  ///
  /// - Parameters:
  ///   - cachedBytesLimit: The most unused bytes that the pool keeps.
  ///   - refuses: A closure that makes an allocation fail if it returns true, for the simulator.
  package init(cachedBytesLimit: Int, refuses: (@Sendable () -> Bool)? = nil) {
    self.refuses = refuses
    cache = BargingLock(BufferCache(limit: cachedBytesLimit, sizes: Self.classes))
  }

  /// Creates or reuses a buffer of at least `count` bytes, up to the largest size.
  ///
  /// The content is undefined.
  ///
  /// - Returns: Nil if there is no memory.
  package func makeBuffer(atLeast count: Int) -> PooledBuffer? {
    if let refuses, refuses() { return nil }
    let sizeClass = Self.sizeClass(for: count)
    let capacity = Self.classes[sizeClass]
    let cached = cache.withLock { $0.take(sizeClass) }
    guard let memory = unsafe cached?.start ?? csys_allocate_pages(capacity) else { return nil }
    return unsafe PooledBuffer(
      memory: memory,
      capacity: capacity,
      sizeClass: sizeClass,
      pool: self
    )
  }

  /// Returns the size of the buffer that `makeBuffer(atLeast:)` returns for `count` bytes.
  package static func capacity(for count: Int) -> Int { classes[sizeClass(for: count)] }

  private static func sizeClass(for count: Int) -> Int {
    classes.firstIndex { $0 >= count } ?? classes.count - 1
  }

  /// The bytes of all buffers that no request uses.
  package var unusedBytes: Int { cache.withLock { $0.bytes } }

  /// Frees all buffers that no request uses.
  ///
  /// - Returns: The number of freed bytes.
  /// - Complexity: O(n) system calls for n buffers.
  package func freeUnused() -> Int {
    let unused = cache.withLock { $0.removeAll() }
    for dropped in unused {
      unsafe csys_free_pages(dropped.memory.start, Self.classes[dropped.sizeClass])
    }
    return unused.reduce(0) { $0 + Self.classes[$1.sizeClass] }
  }

  func release(_ memory: UnsafeMutableRawPointer, sizeClass: Int) {
    let memory = unsafe Memory(start: memory)
    for dropped in cache.withLock({ $0.add(memory, sizeClass) }) {
      unsafe csys_free_pages(dropped.memory.start, Self.classes[dropped.sizeClass])
    }
  }
}
