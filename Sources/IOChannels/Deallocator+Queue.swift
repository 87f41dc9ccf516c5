public import DataRegions
public import QueueRuntime

extension DataBuffer.Deallocator {
  /// Creates a deallocator that calls a function with the memory, as a work item of a queue.
  ///
  /// The work item is submitted once: by the thread that releases the last buffer that refers to a
  /// byte of the memory, or at once for empty memory. It may block and wait, unlike a function
  /// without a queue. The queue is kept until it has run.
  ///
  /// - Parameters:
  ///   - queue: The queue of the function.
  ///   - body: A function that frees the memory.
  /// - Returns: The deallocator.
  public static func custom(
    on queue: WorkQueue,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) -> DataBuffer.Deallocator {
    unsafe .custom { memory in
      // No other thread uses the memory any more, so it may move to another thread.
      nonisolated(unsafe) let memory = unsafe memory
      queue.async { unsafe body(memory) }
    }
  }

  /// Creates a deallocator that calls a function without the memory, as a work item of a queue.
  ///
  /// The work item is submitted as that of `custom(on:_:)` (<doc:Rules#S219>).
  ///
  /// - Parameters:
  ///   - queue: The queue of the function, or `nil` for the global queue of the default class.
  ///   - body: A function that frees the memory.
  /// - Returns: The deallocator.
  @preconcurrency
  public static func custom(
    _ queue: WorkQueue?,
    _ body: @escaping @Sendable () -> Void
  ) -> DataBuffer.Deallocator {
    unsafe .custom(on: queue ?? .global()) { _ in body() }
  }
}
