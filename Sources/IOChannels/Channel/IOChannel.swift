public import DataRegions
public import QueueRuntime
package import RequestEngine
public import SystemCalls

/// A way to read and write a file asynchronously, as a stream or at offsets of your choice.
///
/// Every call returns at once; its results come to a handler on a queue. The channel keeps the
/// descriptor in use until its cleanup handler runs: until then do not close it or change it.
/// A channel that nobody holds any more closes itself after its operations (S31).
public final class IOChannel: Sendable {
  /// How a channel finds its bytes.
  public enum Kind: Sendable {
    /// One operation after the other, at the file position, which moves along.
    case stream
    /// Operations side by side, at offsets counted from the file position at creation.
    case random
  }

  /// How a channel is closed.
  public struct CloseFlags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Wraps the bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Ends the operations that are under way with `ECANCELED`.
    public static let stop = CloseFlags(rawValue: 1)
  }

  /// How an interval is kept.
  public struct IntervalFlags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Wraps the bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Delivers each time that the interval has passed, whatever has come until then.
    public static let strictInterval = IntervalFlags(rawValue: 1)
  }

  /// Takes what an operation has to tell: whether it is over, bytes, and an error.
  ///
  /// Handlers of one operation never run at the same time and come in order (S27). The last call
  /// has `isDone` set, and only it can carry an error.
  public typealias Handler =
    @Sendable (_ isDone: Bool, _ data: DataBuffer?, _ error: Errno?) -> Void

  let core: ChannelCore
  /// The file as the program named it, for errors.
  let file: IOError.File

  /// Makes a channel for an open descriptor, which stays the caller's.
  ///
  /// A descriptor that does not suit gives a channel whose operations all end with the error:
  /// `EBADF`, `EISDIR` for directories, `ESPIPE` for a random channel of a pipe (S1, S2, S3).
  ///
  /// The descriptor has to stay open until the cleanup handler runs (S32). Where it is closed
  /// before, the system may give its number to another file, which this channel, and new ones of
  /// the number, then take for theirs.
  ///
  /// - Parameters:
  ///   - kind: How the channel finds its bytes.
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - queue: Where the cleanup handler runs.
  ///   - cleanupHandler: Called once with the error of its creation, when this and every other
  ///     channel of the descriptor is closed and the handlers of all that was submitted before have
  ///     returned (S32, S41); after an error, when its own have (S134).
  public convenience init(
    kind: Kind,
    fileDescriptor: Int32,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Errno?) -> Void
  ) {
    self.init(
      kind: kind,
      fileDescriptor: fileDescriptor,
      engine: .shared,
      queue: queue,
      cleanupHandler: cleanupHandler
    )
  }

  /// Makes a channel whose requests go to an engine of the caller's choice.
  package convenience init(
    kind: Kind,
    fileDescriptor: Int32,
    file: IOError.File? = nil,
    engine: Engine,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Errno?) -> Void
  ) {
    let descriptor = BorrowedDescriptor(rawValue: fileDescriptor)
    self.init(
      DescriptorTable.shared.join(
        descriptor,
        engine: engine,
        ChannelState(kind: kind, of: descriptor, limits: DeliveryLimits(step: engine.sizes.step)),
        cleanup: ChannelCleanup(queue: queue, handler: cleanupHandler)
      ),
      file: file
    )
  }

  init(_ core: ChannelCore, file: IOError.File? = nil) {
    self.core = core
    self.file =
      switch core.entry.source {
      case .number(let descriptor): file ?? .descriptor(descriptor.rawValue)
      case .path(let opening): .path(opening.path)
      }
  }

  deinit {
    core.close(stops: false)
  }

  /// The number of the descriptor, as it was given; -1 when the channel is closed.
  ///
  /// A path has one once it is open, or in a barrier of the channel, where it is opened for the
  /// caller unless that fails (S15).
  public var fileDescriptor: Int32 { core.fileDescriptor }

  /// What the requests of this channel are for; it may outlive the channel.
  package var inside: AnyObject { core }

  /// What the channel shares with others of its descriptor.
  package var sharedState: AnyObject { core.entry }

  /// Reads up to `length` bytes and hands them over in pieces as they come.
  ///
  /// A piece has at least the low-water mark of bytes, unless it is the last, and at most the
  /// high-water mark (S19). At the end of the file the last call has empty data (S21); when
  /// `length` bytes were read it has the last of them (S20). Bytes that came before an error are
  /// handed over before it (S22).
  ///
  /// On a random channel up to 16 KiB that are in memory are read before this returns, which waits
  /// for no disk; the handler is called as any other (S163).
  ///
  /// - Parameters:
  ///   - offset: Where to read on a random channel, counted from the file position at creation; on
  ///     a stream, which reads at the file position, it has no effect.
  ///   - length: The most bytes to read; `Int.max` reads to the end.
  ///   - queue: Where the handler runs.
  ///   - ioHandler: Takes the pieces.
  /// - Precondition: The length is not negative.
  public func read(
    offset: Int64,
    length: Int,
    queue: WorkQueue,
    ioHandler: @escaping Handler
  ) {
    requireUse(length >= 0, "A read cannot have a negative length.", "S173")
    if core.readAtOnce(offset: offset, length: length, queue: queue, handler: ioHandler) { return }
    core.read(offset: offset, length: length, queue: queue, handler: ioHandler)
  }

  /// Writes `data` and tells what is left to be written.
  ///
  /// The handler is called with the rest each time another low-water mark of bytes is written, and
  /// at the end with `nil`, or with an error and what was not written (S23). A lost peer is told
  /// with `EPIPE`, never with a signal (S37). Up to 64 KiB to a pipe, socket or terminal that has
  /// room are written before this returns, where nothing has to be waited for (S164).
  ///
  /// - Parameters:
  ///   - offset: Where to write on a random channel, counted from the file position at creation;
  ///     on a stream, which writes at the file position, it has no effect.
  ///   - data: The bytes, which stay unchanged.
  ///   - queue: Where the handler runs.
  ///   - ioHandler: Takes what is left.
  public func write(
    offset: Int64,
    data: DataBuffer,
    queue: WorkQueue,
    ioHandler: @escaping Handler
  ) {
    core.write(offset: offset, data: data, queue: queue, handler: ioHandler)
  }

  /// Sets the fewest bytes of a piece, for operations that are asked for later.
  ///
  /// The high-water mark is raised to it. The default is 1 MiB (S16, S17).
  ///
  /// - Precondition: The mark is not negative.
  public func setLimit(lowWater: Int) {
    requireUse(lowWater >= 0, "A water mark is not negative.", "S173")
    core.changeSettings { $0.limits.setLowWater(lowWater) }
  }

  /// Sets the most bytes of a piece, for operations that are asked for later.
  ///
  /// The low-water mark is lowered to it; 0 counts as 1. There is none by default (S16, S17).
  ///
  /// - Precondition: The mark is not negative.
  public func setLimit(highWater: Int) {
    requireUse(highWater >= 0, "A water mark is not negative.", "S173")
    core.changeSettings { $0.limits.setHighWater(highWater) }
  }

  /// Sets how often operations that are asked for later deliver, from their submission on.
  ///
  /// With `.strictInterval` the handler is called each time that the interval has passed, with what
  /// has come below the low-water mark, also with nothing; a write gets what is left. An operation
  /// that waits for its turn tells nothing (S136), and while a delivery waits for the handler
  /// to return no further one is made for the passing of time (S137). Without the flag an interval
  /// changes nothing: it asks only whether the low-water mark is reached, which is looked at
  /// whenever bytes come (S26). There is none by default, and none of length 0.
  ///
  /// - Parameters:
  ///   - interval: The time from one call to the next.
  ///   - flags: Whether the calls come in any case.
  /// - Precondition: The interval is not negative.
  public func setInterval(interval: Duration, flags: IntervalFlags = []) {
    requireUse(interval >= .zero, "An interval is not negative.", "S173")
    let isUsed = flags.contains(.strictInterval) && interval > .zero
    core.changeSettings { $0.interval = isUsed ? interval : nil }
  }

  /// Runs `body` after all operations before it have ended and before any after it begins.
  ///
  /// It runs on the channel's target, by default the global queue. The operations are those of all
  /// channels of the descriptor; their handlers may still be running (S14, S131).
  public func barrier(execute body: @escaping @Sendable () -> Void) {
    core.barrier(body)
  }

  /// Takes no more operations; those that were asked for go on unless they are stopped.
  ///
  /// Later operations end with `ECANCELED` (S28). Closing again does nothing, except that `.stop`
  /// still stops (S30).
  ///
  /// - Parameter flags: `.stop` ends operations early, as soon as the kernel has given back what
  ///   it works on; what was read until then is still handed over.
  public func close(flags: CloseFlags = []) {
    core.close(stops: flags.contains(.stop))
  }
}
