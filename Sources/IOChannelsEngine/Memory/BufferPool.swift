import CIOChannelsSystem
import QueueRuntime

/// Page-aligned memory in a few sizes, kept for the next request instead of given to the kernel.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than copying into it. The pool
/// keeps at most `cachedBytesLimit`; beyond that what has lain unused for longest is freed.
package final class BufferPool: Sendable {
  /// The sizes of buffers, smallest first: powers of two, so that a full request fills half of one.
  package static let classes = (12...20).map { 1 << $0 }

  private static let sharedLimit = 64 << 20
  package static let shared = BufferPool(cachedBytesLimit: sharedLimit)

  private let refuses: (@Sendable () -> Bool)?
  private let cache: BargingLock<BufferCache<Memory>>

  /// Where a buffer begins.
  @safe
  private struct Memory: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
  }

  /// Makes an empty pool.
  ///
  /// - Parameters:
  ///   - cachedBytesLimit: The most bytes that it keeps.
  ///   - refuses: Asked before a buffer is lent; the simulator lets memory run out with it.
  package init(cachedBytesLimit: Int, refuses: (@Sendable () -> Bool)? = nil) {
    self.refuses = refuses
    cache = BargingLock(BufferCache(limit: cachedBytesLimit, sizes: Self.classes))
  }

  /// Lends a buffer of at least `count` bytes, at most the largest class.
  ///
  /// Its content is undefined.
  ///
  /// - Returns: `nil` when there is no memory.
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

  /// The bytes of the buffer that is lent for `count` bytes.
  package static func capacity(for count: Int) -> Int { classes[sizeClass(for: count)] }

  private static func sizeClass(for count: Int) -> Int {
    classes.firstIndex { $0 >= count } ?? classes.count - 1
  }

  /// Frees all buffers that no request uses.
  ///
  /// - Returns: The number of bytes that were freed.
  /// - Complexity: O(n) system calls for n buffers.
  package func freeUnused() -> Int {
    let unused = cache.withLock { $0.removeAll() }
    for dropped in unused {
      unsafe csys_free_pages(dropped.memory.start, Self.classes[dropped.sizeClass])
    }
    return unused.reduce(0) { $0 + Self.classes[$1.sizeClass] }
  }

  func giveBack(_ memory: UnsafeMutableRawPointer, sizeClass: Int) {
    let memory = unsafe Memory(start: memory)
    for dropped in cache.withLock({ $0.add(memory, sizeClass) }) {
      unsafe csys_free_pages(dropped.memory.start, Self.classes[dropped.sizeClass])
    }
  }
}
