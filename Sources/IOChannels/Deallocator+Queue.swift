public import DataRegions
public import QueueRuntime

extension DataBuffer.Deallocator {
  /// Calls a function with the memory, as an item of a queue.
  ///
  /// The item is submitted once: by the thread that drops the last buffer that shows a byte of
  /// the memory, or at once for empty memory. It may block and wait, unlike a function without a
  /// queue. The queue is kept until it has run. Keeps S66.
  ///
  /// - Parameters:
  ///   - queue: Where the function runs.
  ///   - body: Gives the memory back.
  /// - Returns: The way to give the memory back.
  public static func custom(
    on queue: WorkQueue,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) -> DataBuffer.Deallocator {
    unsafe .custom { memory in
      // Nobody else has the memory any more, so it may change the thread.
      nonisolated(unsafe) let memory = unsafe memory
      queue.async { unsafe body(memory) }
    }
  }
}
