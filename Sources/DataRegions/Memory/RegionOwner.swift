/// An object that keeps memory for the buffers that show it, and frees it in its `deinit`.
///
/// The bytes that a buffer shows must not change while the buffer lives.
package protocol RegionOwner: AnyObject, Sendable {
  /// The first byte of the memory, the same as long as the owner lives.
  var start: UnsafeMutableRawPointer { get }

  /// The number of bytes from `start` on.
  var capacity: Int { get }

  /// The source of the memory, in a word or two for debugging.
  var kind: String { get }

  /// The number of bytes of memory that stay allocated as long as the owner lives.
  var keptByteCount: Int { get }
}

extension RegionOwner {
  /// All of the memory.
  var all: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: start, count: capacity)
  }

  package var kind: String { "owned" }

  package var keptByteCount: Int { capacity }
}

/// Bytes that were copied into memory of their own.
@safe
final class CopiedBytes: RegionOwner {
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let capacity: Int
  var kind: String { "copied" }

  /// The length from which bytes start at a cache line, where the kernel copies a tenth faster.
  private static let longLength = 64 << 10

  /// Allocates `capacity` bytes of memory, to be initialized before they are shown.
  init(capacity: Int) {
    let alignment = capacity < CopiedBytes.longLength ? MemoryLayout<Int>.alignment : 64
    unsafe start = .allocate(byteCount: capacity, alignment: alignment)
    self.capacity = capacity
  }

  deinit {
    unsafe start.deallocate()
  }
}

/// Memory that several small appends fill in order.
@safe
final class GrowingBytes: RegionOwner {
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let claim: AppendClaim
  var capacity: Int { claim.capacity }
  var kind: String { "appended" }

  init(capacity: Int) {
    unsafe start = .allocate(byteCount: capacity, alignment: MemoryLayout<Int>.alignment)
    claim = AppendClaim(capacity: capacity)
  }

  /// Writes bytes to a place that was claimed.
  func fill(_ bytes: RawSpan, at end: Int) {
    unsafe all.copy(bytes, at: end)
  }

  deinit {
    unsafe start.deallocate()
  }
}

/// Bytes of the caller's, with the function that frees them.
@safe
final class ForeignBytes: RegionOwner {
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let capacity: Int
  private let deallocator: DataBuffer.Deallocator
  var kind: String { "foreign, \(deallocator.name)" }

  /// Whether the caller's code frees the bytes.
  var isCustom: Bool { if case .custom = deallocator { true } else { false } }

  /// 0 for memory that is never freed.
  var keptByteCount: Int { if case .none = deallocator { 0 } else { capacity } }

  init(start: UnsafeRawPointer, capacity: Int, deallocator: DataBuffer.Deallocator) {
    unsafe self.start = UnsafeMutableRawPointer(mutating: start)
    self.capacity = capacity
    self.deallocator = deallocator
  }

  deinit {
    unsafe deallocator.giveBack(UnsafeRawBufferPointer(start: start, count: capacity))
  }
}
