import CSystem
import QueueRuntime

/// Page-aligned memory in a few sizes, kept for the next request instead of given to the kernel.
///
/// Fresh memory costs a page fault for every 4 KiB, which is more than copying into it. The pool
/// keeps at most `cachedBytesLimit`; what comes back beyond that is freed.
package final class BufferPool: Sendable {
  /// The sizes of buffers, smallest first: powers of two, so that a full request fills half of one.
  package static let classes = (12...20).map { 1 << $0 }

  private static let sharedLimit = 64 << 20
  package static let shared = BufferPool(cachedBytesLimit: sharedLimit)

  private let cachedBytesLimit: Int
  private let refuses: (@Sendable () -> Bool)?
  private let cache = BargingLock(Cache())

  @safe
  private struct Cache: @unchecked Sendable {
    var free: [[UnsafeMutableRawPointer]] = unsafe Array(repeating: [], count: classes.count)
    var bytes = 0
  }

  /// Makes an empty pool.
  ///
  /// - Parameters:
  ///   - cachedBytesLimit: The most bytes that it keeps.
  ///   - refuses: Asked before a buffer is lent; the simulator lets memory run out with it.
  package init(cachedBytesLimit: Int, refuses: (@Sendable () -> Bool)? = nil) {
    self.cachedBytesLimit = cachedBytesLimit
    self.refuses = refuses
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
    let cached = unsafe cache.withLock { cache -> UnsafeMutableRawPointer? in
      guard let memory = unsafe cache.free[sizeClass].popLast() else { return nil }
      cache.bytes -= capacity
      return unsafe memory
    }
    guard let memory = unsafe cached ?? csys_allocate_pages(capacity) else { return nil }
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

  func giveBack(_ memory: UnsafeMutableRawPointer, sizeClass: Int) {
    let capacity = Self.classes[sizeClass]
    let isKept = cache.withLock { cache in
      guard cache.bytes + capacity <= cachedBytesLimit else { return false }
      unsafe cache.free[sizeClass].append(memory)
      cache.bytes += capacity
      return true
    }
    if !isKept { unsafe csys_free_pages(memory, capacity) }
  }
}
