public import QueueRuntime
package import RequestEngine
public import SystemCalls

extension IOChannel {
  /// Makes a channel for a path, which its first operation opens.
  ///
  /// A channel that never has an operation neither opens nor makes a file (S5). What can be seen
  /// without opening is an error of the creation: a path that leads nowhere, unless the file may be
  /// made, a directory, a random channel of a FIFO or socket. What the opening itself does not
  /// allow is an error of that operation and of all later ones (S7). The descriptor is closed
  /// before the cleanup handler runs. There is no channel for a path that is not absolute (S6).
  ///
  /// - Parameters:
  ///   - kind: How the channel finds its bytes; random offsets count from the start of the file.
  ///   - path: An absolute path.
  ///   - oflag: The flags of `open`. `O_CLOEXEC` is added; `O_NONBLOCK` is left out for a regular
  ///     file and added for anything else, so that opening does not wait for a peer (S132).
  ///   - mode: The permissions of a new file, less the process's mask.
  ///   - queue: Where the cleanup handler runs.
  ///   - cleanupHandler: Called once with the error of its creation or its opening, when the
  ///     channel is closed and the handlers of all that was submitted before have returned (S41).
  public convenience init?(
    kind: Kind,
    path: FilePath,
    oflag: Int32,
    mode: UInt32,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Errno?) -> Void
  ) {
    self.init(
      kind: kind,
      path: path,
      oflag: oflag,
      mode: mode,
      engine: .shared,
      queue: queue,
      cleanupHandler: cleanupHandler
    )
  }

  /// Makes a channel for a path, whose requests go to an engine of the caller's choice.
  package convenience init?(
    kind: Kind,
    path: FilePath,
    oflag: Int32,
    mode: UInt32,
    engine: Engine,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Errno?) -> Void
  ) {
    guard path.isAbsolute else { return nil }
    let source = DescriptorEntry.Source.path(OpeningPath(path: path, oflag: oflag, mode: mode))
    self.init(
      DescriptorEntry(source, engine: engine).firstChannel(
        ChannelState(kind: kind, limits: DeliveryLimits(step: engine.sizes.step)),
        ChannelCleanup(queue: queue, handler: cleanupHandler)
      )
    )
  }

  /// Makes a channel for the file of another channel, with marks, interval and target of its own.
  ///
  /// With a channel of a descriptor it shares the descriptor and the order of operations. With one
  /// of a path it shares the path alone, opens it again and so has a position of its own (S9). Of a
  /// channel that is closed, or whose creation failed, it is born with that error (S8).
  ///
  /// - Parameters:
  ///   - kind: How the channel finds its bytes; random offsets count from the present position.
  ///   - io: The channel whose file it takes over.
  ///   - queue: Where the cleanup handler runs.
  ///   - cleanupHandler: Called once, as that of the channel whose file it takes over.
  public convenience init(
    kind: Kind,
    io: IOChannel,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Errno?) -> Void
  ) {
    self.init(
      io.core.entry.sibling(
        of: io.core.number,
        kind,
        ChannelCleanup(queue: queue, handler: cleanupHandler)
      )
    )
  }
}
