import IOChannelsEngine
import IOChannelsSystem
public import QueueRuntime

extension IOChannel {
  /// Creates a channel for the path that a C string names; kept for source compatibility with
  /// Dispatch.
  ///
  /// The string is copied. All else is as for a path of another type.
  ///
  /// - Parameters:
  ///   - type: The way in which the channel addresses bytes.
  ///   - path: An absolute path.
  ///   - oflag: The flags of `open`.
  ///   - mode: The permissions of a new file, reduced by the process's umask.
  ///   - queue: The queue of the cleanup handler.
  ///   - cleanupHandler: A handler that is called once, with the error number of the creation or
  ///     the opening, or 0.
  @preconcurrency
  public convenience init?(
    type: StreamType,
    path: UnsafePointer<CChar>,
    oflag: Int32,
    mode: UInt32,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    self.init(
      type: type,
      path: unsafe BytePath(cString: path),
      oflag: oflag,
      mode: mode,
      engine: .shared,
      queue: queue,
      cleanupHandler: cleanupHandler
    )
  }
}
