internal import IOChannelsEngine

extension IOChannel {
  /// Frees the buffers that the library keeps for later operations.
  ///
  /// The library keeps at most 64 MiB. Buffers of running operations and of data that the program
  /// keeps are not freed. Call this function when the system is short of memory, for example in the
  /// handler of a memory pressure source. It may be called on any thread.
  ///
  /// - Returns: The number of bytes that were freed.
  /// - Complexity: O(n) system calls for n buffers.
  @discardableResult
  public static func freeUnusedBuffers() -> Int {
    BufferPool.shared.freeUnused()
  }
}
