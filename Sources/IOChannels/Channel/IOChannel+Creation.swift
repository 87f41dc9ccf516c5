public import QueueRuntime
package import IOChannelsEngine
public import IOChannelsSystem

extension IOChannel {
  /// Creates a channel for a path, which its first operation opens.
  ///
  /// A channel that never has an operation neither opens nor creates a file. Some errors are found
  /// without opening and are errors of the creation: a path that does not exist, unless the flags
  /// contain `O_CREAT`; a directory; a random channel of a FIFO or socket. If the opening fails,
  /// the operation that opens the file and all later ones end with the error. The descriptor is
  /// closed before the cleanup handler runs. The result is nil for a path that is not absolute. The
  /// rules of the opening are <doc:Rules#S132> and <doc:Rules#S41>.
  ///
  /// - Parameters:
  ///   - type: The way in which the channel addresses bytes; offsets of a random channel count from
  ///     the start of the file.
  ///   - path: An absolute path.
  ///   - oflag: The flags of `open`. `O_CLOEXEC` is added. `O_NONBLOCK` is removed for a regular
  ///     file and added for any other, so that opening does not wait for a peer.
  ///   - mode: The permissions of a new file, reduced by the process's umask.
  ///   - queue: The queue of the cleanup handler.
  ///   - cleanupHandler: A handler that is called once, when the channel is closed and the handlers
  ///     of all earlier operations have returned. Its argument is the error number of the
  ///     creation or the opening, or 0.
  @preconcurrency
  public convenience init?(
    type: StreamType,
    path: some BytePathConvertible,
    oflag: Int32,
    mode: UInt32,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    self.init(
      type: type,
      path: path.bytePath,
      oflag: oflag,
      mode: mode,
      engine: .shared,
      queue: queue,
      cleanupHandler: cleanupHandler
    )
  }

  /// Creates a channel for a path, whose requests go to a given engine.
  ///
  /// With `reportsOpening` the cleanup handler gets the error of the opening too; without it only
  /// that of the creation, as in Dispatch.
  package convenience init?(
    type: StreamType,
    path: BytePath,
    oflag: Int32,
    mode: UInt32,
    engine: Engine = .shared,
    queue: WorkQueue,
    reportsOpening: Bool = true,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    guard path.isAbsolute else { return nil }
    let source = DescriptorEntry.Source.path(OpeningPath(path: path, oflag: oflag, mode: mode))
    self.init(
      DescriptorEntry(source, engine: engine).firstChannel(
        ChannelState(kind: type, limits: DeliveryLimits(step: engine.sizes.step)),
        ChannelCleanup(queue: queue, reportsOpening: reportsOpening, handler: cleanupHandler)
      )
    )
  }

  /// Creates a channel for the file of another channel, with its own water marks, handler interval
  /// and target queue.
  ///
  /// If the other channel was created from a descriptor, the two channels share the descriptor and
  /// the order of operations. If it was created from a path, the new channel opens the path again
  /// and has its own file position (<doc:Rules#S9>). If the creation of the other channel failed,
  /// the operations of the new channel end with the same error. If the other channel was already
  /// closed, the operations of the new channel end with `ECANCELED` (<doc:Rules#S8>).
  ///
  /// - Parameters:
  ///   - type: The way in which the channel addresses bytes. Offsets of a random channel count from
  ///     the position that a shared descriptor has at creation, otherwise from the start of the
  ///     file.
  ///   - io: The channel whose file is used.
  ///   - queue: The queue of the cleanup handler.
  ///   - cleanupHandler: A handler that is called once, when this channel and those that share its
  ///     descriptor are closed and the handlers of all their operations have returned. Its
  ///     argument is the error number of the creation or the opening, or 0.
  @preconcurrency
  public convenience init(
    type: StreamType,
    io: IOChannel,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    self.init(
      type: type,
      io: io,
      queue: queue,
      reportsOpening: true,
      cleanupHandler: cleanupHandler
    )
  }

  /// Creates a channel for the file of another channel.
  ///
  /// With `reportsOpening` the cleanup handler gets the error of the opening too; without it only
  /// that of the creation, as in Dispatch.
  package convenience init(
    type: StreamType,
    io: IOChannel,
    queue: WorkQueue,
    reportsOpening: Bool,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    self.init(
      io.core.entry.sibling(
        of: io.core.number,
        type,
        ChannelCleanup(queue: queue, reportsOpening: reportsOpening, handler: cleanupHandler)
      )
    )
  }
}
