internal import IOChannelsLocks

/// Memory for one handler that waits in a queue, which its owner lends to the queue.
package struct WorkMemory: Sendable {
  /// The number of bytes.
  package static let byteCount = max(
    SerialQueueCore.entryByteCount,
    ConcurrentQueueCore.entryByteCount
  )

  let lent: LentMemory

  /// Lends memory from an address on that is a multiple of 8.
  package init(start: UnsafeMutableRawPointer) {
    lent = unsafe LentMemory(start: start)
  }
}
