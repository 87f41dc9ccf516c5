public import DataRegions
public import QueueRuntime
package import IOChannelsEngine
import IOChannelsSystem

/// An object that reads and writes a file asynchronously, as a stream or at given offsets.
///
/// ```swift
/// let bytes = try await IOChannel.withOpen("/proc/self/comm") { file in
///   try await file.readAll()
/// }
/// for line in bytes.lines { print(String(decoding: line, as: UTF8.self)) }
/// ```
///
/// A call with a handler returns at once and delivers its results to the handler on a queue. A call
/// with `await` returns them to the task. The channel uses the descriptor until its cleanup handler
/// runs. Until then, do not close the descriptor, and do not change its flags or file position. A
/// channel that the program has released closes itself after its operations.
public final class IOChannel: Sendable {
  /// The way in which a channel addresses bytes.
  public enum StreamType: Sendable {
    /// Operations one after the other, at the file position, which they advance.
    case stream
    /// Concurrent operations, at offsets counted from the file position at creation.
    ///
    /// Awaited calls without an offset run one at a time, each where the last one ended
    /// (<doc:Rules#S235>).
    case random

    /// The number of the type in Dispatch.
    public var rawValue: UInt { self == .stream ? 0 : 1 }
  }

  /// Options for closing a channel.
  public struct CloseFlags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The end of running operations, with `ECANCELED`.
    public static let stop = CloseFlags(rawValue: 1)
  }

  /// Options for the interval of a channel.
  public struct IntervalFlags: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// A call of the handler after each interval, also if no bytes have arrived.
    public static let strictInterval = IntervalFlags(rawValue: 1)
  }

  /// A handler for the progress of an operation: whether it is finished, the data, and the number
  /// of an error.
  ///
  /// Calls for one operation never overlap and are in order (<doc:Rules#S27>). The last call has
  /// `isDone` set. Only it can have an error; otherwise the number is 0. `SystemError(errno:)`
  /// names it, and `error == .canceled` compares it with a name.
  public typealias Handler =
    @Sendable (_ isDone: Bool, _ data: DataBuffer?, _ error: Int32) -> Void

  let core: ChannelCore
  /// The file as the program named it, for errors.
  let file: IOChannelError.File

  /// Creates a channel for an open descriptor, which still belongs to the caller.
  ///
  /// If the descriptor is unusable, all operations of the channel fail (<doc:Rules#S1>). The error
  /// is `EISDIR` for a directory, `ESPIPE` for a random channel of a pipe, and `EBADF` for a
  /// descriptor that is not open.
  ///
  /// The descriptor has to stay open until the cleanup handler runs (<doc:Rules#S32>; if the
  /// creation failed, <doc:Rules#S134>). If it is closed earlier, the system may give its number to
  /// another file, and this channel and new ones with the same number would use that file.
  ///
  /// - Parameters:
  ///   - type: The way in which the channel addresses bytes.
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - queue: The queue of the cleanup handler.
  ///   - cleanupHandler: A handler that is called once, when this and every other channel of the
  ///     descriptor is closed and the handlers of all their operations have returned. Its
  ///     argument is the error number of the creation, or 0. If the creation failed, the handler
  ///     does not wait for the channel to be closed: it is called once the operations already
  ///     submitted to this channel have ended.
  @preconcurrency
  public convenience init(
    type: StreamType,
    fileDescriptor: Int32,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    self.init(
      type: type,
      fileDescriptor: fileDescriptor,
      engine: .shared,
      queue: queue,
      cleanupHandler: cleanupHandler
    )
  }

  /// Creates a channel whose requests go to a given engine.
  package convenience init(
    type: StreamType,
    fileDescriptor: Int32,
    file: IOChannelError.File? = nil,
    engine: Engine,
    queue: WorkQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    let descriptor = BorrowedDescriptor(rawValue: fileDescriptor)
    self.init(
      DescriptorTable.shared.join(
        descriptor,
        engine: engine,
        ChannelState(kind: type, of: descriptor, limits: DeliveryLimits(step: engine.sizes.step)),
        cleanup: ChannelCleanup(queue: queue, handler: cleanupHandler)
      ),
      file: file
    )
  }

  /// Creates a channel without a cleanup handler, whose file was perhaps examined.
  convenience init(
    type: StreamType,
    descriptor: BorrowedDescriptor,
    examined: OpenFile? = nil,
    file: IOChannelError.File,
    engine: Engine
  ) {
    self.init(
      DescriptorTable.shared.join(
        descriptor,
        examined: examined,
        engine: engine,
        ChannelState(kind: type, of: descriptor, limits: DeliveryLimits(step: engine.sizes.step)),
        cleanup: nil
      ),
      file: file
    )
  }

  init(_ core: ChannelCore, file: IOChannelError.File? = nil) {
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

  /// The number of the descriptor, or -1 when the channel is closed.
  ///
  /// A channel of a path has no descriptor before the file is open: the number is then -1. In a
  /// barrier of the channel, this property opens the file if necessary (<doc:Rules#S15>).
  public var fileDescriptor: Int32 { core.fileDescriptor }

  /// The owner of this channel's requests, which may outlive the channel.
  package var inside: AnyObject { core }

  /// The state that the channel shares with others of its descriptor.
  package var sharedState: AnyObject { core.entry }

  /// Reads up to `length` bytes and delivers them in chunks as they arrive.
  ///
  /// Every chunk has at most as many bytes as the high-water mark. It has at least as many as the
  /// low-water mark, except the last one with bytes and those that a strict interval delivers. The
  /// last call of the handler has:
  ///
  /// - the last bytes, if `length` bytes were read;
  /// - empty data, if the file ended before;
  /// - an error and no data, if the read failed.
  ///
  /// The bytes before the end or the error are delivered by earlier calls.
  ///
  /// On a random channel, a read of at most 16 KiB whose bytes are all in the page cache is usually
  /// done before this method returns, without waiting for a disk. The handler is called later, as
  /// for any read (<doc:Rules#S163>). So may be up to 64 KiB from an anonymous pipe that has bytes
  /// (<doc:Rules#S246>).
  ///
  /// - Parameters:
  ///   - offset: The offset on a random channel, counted from the file position at creation, or
  ///     from the start of the file if the channel opened a path. A stream ignores it and reads at
  ///     the file position.
  ///   - length: The largest number of bytes; `Int.max` reads to the end.
  ///   - queue: The queue of the handler.
  ///   - ioHandler: The handler that receives the chunks.
  /// - Precondition: The length is not negative.
  @preconcurrency
  @inlinable
  public func read(
    offset: some BinaryInteger,
    length: Int,
    queue: WorkQueue,
    ioHandler: @escaping Handler
  ) {
    read(from: Int64(clamping: offset), length, queue, ioHandler)
  }

  @usableFromInline
  func read(from offset: Int64, _ length: Int, _ queue: WorkQueue, _ ioHandler: @escaping Handler) {
    requireUse(length >= 0, "A read cannot have a negative length.", "S173")
    let attempt = core.readAtOnce(
      offset: offset,
      length: length,
      queue: queue,
      handler: ioHandler
    )
    if attempt == .delivered { return }
    core.read(
      offset: offset,
      length: length,
      searchesCache: attempt == .waitsForMemory,
      queue: queue,
      handler: ioHandler
    )
  }

  /// Writes `data` and reports the data that is still unwritten.
  ///
  /// The handler is called with the unwritten rest whenever as many bytes as the low-water mark
  /// have been written since the last call. The last call has `nil`, or an error and the unwritten
  /// data (<doc:Rules#S23>). A peer that has closed its end is reported as `EPIPE`, never by a
  /// signal. Up to 64 KiB to an anonymous pipe or a socket with enough room may be written before
  /// this method returns (<doc:Rules#S164>).
  ///
  /// - Parameters:
  ///   - offset: The offset on a random channel, counted from the file position at creation, or
  ///     from the start of the file if the channel opened a path. A stream ignores it and writes at
  ///     the file position.
  ///   - data: The bytes to write.
  ///   - queue: The queue of the handler.
  ///   - ioHandler: The handler that receives the unwritten data.
  @preconcurrency
  @inlinable
  public func write(
    offset: some BinaryInteger,
    data: DataBuffer,
    queue: WorkQueue,
    ioHandler: @escaping Handler
  ) {
    write(data, from: Int64(clamping: offset), queue, ioHandler)
  }

  @usableFromInline
  func write(
    _ data: DataBuffer,
    from offset: Int64,
    _ queue: WorkQueue,
    _ ioHandler: @escaping Handler
  ) {
    core.write(offset: offset, data: data, queue: queue, handler: ioHandler)
  }

  /// Sets the smallest size of a chunk, for later operations.
  ///
  /// If the high-water mark is lower, it is raised to this size. The default is 1 MiB.
  ///
  /// - Precondition: The mark is not negative.
  public func setLimit(lowWater: Int) {
    requireUse(lowWater >= 0, "A water mark is not negative.", "S173")
    core.changeSettings { $0.limits.setLowWater(lowWater) }
  }

  /// Sets the largest size of a chunk, for later operations.
  ///
  /// If the low-water mark is higher, it is lowered to this size; 0 counts as 1. By default there
  /// is no limit.
  ///
  /// - Precondition: The mark is not negative.
  public func setLimit(highWater: Int) {
    requireUse(highWater >= 0, "A water mark is not negative.", "S173")
    core.changeSettings { $0.limits.setHighWater(highWater) }
  }

  /// Sets the interval at which later operations call their handlers.
  ///
  /// The first interval of an operation begins when the operation is submitted. With
  /// `.strictInterval` the handler is called each time the interval has passed, even with fewer
  /// bytes than the low-water mark or with none. The handler of a write gets the unwritten data. An
  /// operation that has not started delivers nothing. While a call of the handler is pending, the
  /// interval causes no further call. Without the flag the interval has no effect, because bytes
  /// that reach the low-water mark are delivered as they arrive (<doc:Rules#S26>). By default there
  /// is no interval; an interval of length 0 counts as none.
  ///
  /// - Parameters:
  ///   - interval: The time from one call to the next.
  ///   - flags: `.strictInterval` for calls at each interval; without it the interval has no
  ///     effect.
  /// - Precondition: The interval is not negative.
  public func setInterval(interval: Duration, flags: IntervalFlags = []) {
    requireUse(interval >= .zero, "An interval is not negative.", "S173")
    let isUsed = flags.contains(.strictInterval) && interval > .zero
    core.changeSettings { $0.interval = isUsed ? interval : nil }
  }

  /// Runs `body` after all earlier operations have ended and before any later one begins.
  ///
  /// The function runs on the channel's target, by default the global queue of the quality of
  /// service `default`. It waits for the operations of all channels of the descriptor
  /// (<doc:Rules#S131>), but not for their handlers, which may still be running (<doc:Rules#S14>).
  @preconcurrency
  public func barrier(execute body: @escaping @Sendable () -> Void) {
    core.barrier(body)
  }

  /// Closes the channel for new operations; pending operations run to completion unless they are
  /// stopped.
  ///
  /// Later operations end with `ECANCELED`. A second call has no effect, except that `.stop` still
  /// stops operations.
  ///
  /// - Parameter flags: `.stop` ends operations early, as soon as the kernel has released their
  ///   memory. The bytes read before that are still delivered.
  public func close(flags: CloseFlags = []) {
    core.close(stops: flags.contains(.stop))
  }
}
