public import DataRegions
public import QueueRuntime
package import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

extension IOChannel {
  /// Reads once from a descriptor and delivers all bytes in one call.
  ///
  /// The read ends at `maxLength`, at the end of the file, or with an error. On files that can
  /// block a reader, such as pipes, it also ends when some bytes were read and no more are
  /// available (<doc:Rules#S34>). If stream channels use the same descriptor, the read runs in
  /// order with their operations (<doc:Rules#S131>). The descriptor must stay open until the
  /// handler is called. The handler is called when the read has ended, even if such channels are
  /// still open.
  ///
  /// - Parameters:
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - maxLength: The largest number of bytes; `Int.max` sets no limit.
  ///   - queue: The queue of the handler.
  ///   - handler: A handler that is called once, with the bytes that were read and the number of
  ///     the error that ended the read, or 0. Unlike the handler of a channel, it may get both. No
  ///     bytes and no error mean the end of the file.
  @preconcurrency
  public static func read(
    fromFileDescriptor fileDescriptor: Int32,
    maxLength: Int,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer, _ error: Int32) -> Void
  ) {
    read(
      fromFileDescriptor: fileDescriptor,
      maxLength: maxLength,
      engine: .shared,
      runningHandlerOn: queue,
      handler: handler
    )
  }

  /// Writes all of `data` to a descriptor, or reports the unwritten rest.
  ///
  /// If stream channels use the same descriptor, the write runs in order with their operations
  /// (<doc:Rules#S131>). The descriptor must stay open until the handler is called. The handler is
  /// called when the write has ended, even if such channels are still open.
  ///
  /// - Parameters:
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - data: The bytes.
  ///   - queue: The queue of the handler.
  ///   - handler: A handler that is called once: with `nil` and 0 when everything was written,
  ///     otherwise with the unwritten bytes and the number of the error.
  @preconcurrency
  public static func write(
    toFileDescriptor fileDescriptor: Int32,
    data: DataBuffer,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer?, _ error: Int32) -> Void
  ) {
    write(
      toFileDescriptor: fileDescriptor,
      data: data,
      engine: .shared,
      runningHandlerOn: queue,
      handler: handler
    )
  }

  /// Reads once through a given engine.
  package static func read(
    fromFileDescriptor fileDescriptor: Int32,
    maxLength: Int,
    engine: Engine,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer, _ error: Int32) -> Void
  ) {
    requireUse(maxLength >= 0, "A read cannot have a negative length.", "S173")
    let all = BargingLock(DataBuffer.empty)
    let report = OneShotReport<DataBuffer>(handler)
    let core = hiddenChannel(fileDescriptor, engine, queue) { report.isOver() }
    core.read(offset: 0, length: maxLength, extent: .untilEmpty, queue: queue) {
      isDone,
      data,
      error in
      let read = all.withLock { all in
        if let data { all.append(data) }
        return all
      }
      if isDone { report.take(read, error) }
    }
    core.close(stops: false)
  }

  /// Writes once through a given engine.
  package static func write(
    toFileDescriptor fileDescriptor: Int32,
    data: DataBuffer,
    engine: Engine,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer?, _ error: Int32) -> Void
  ) {
    let report = OneShotReport<DataBuffer?>(handler)
    let core = hiddenChannel(fileDescriptor, engine, queue) { report.isOver() }
    core.write(offset: 0, data: data, queue: queue) { isDone, data, error in
      if isDone { report.take(data, error) }
    }
    core.close(stops: false)
  }

  /// Creates a stream for one operation that delivers all bytes in one call.
  private static func hiddenChannel(
    _ fileDescriptor: Int32,
    _ engine: Engine,
    _ queue: WorkQueue,
    whenOver: @escaping @Sendable () -> Void
  ) -> ChannelCore {
    var limits = DeliveryLimits(step: engine.sizes.step)
    limits.setLowWater(.max)
    return DescriptorTable.shared.join(
      BorrowedDescriptor(rawValue: fileDescriptor),
      engine: engine,
      ChannelState(kind: .stream, limits: limits, isHidden: true),
      cleanup: ChannelCleanup(queue: queue) { _ in whenOver() }
    )
  }
}

/// The report of a one-shot transfer, which calls the handler when the result is known and the
/// channel is cleaned up.
///
/// In the handler the caller may close the descriptor, whose number may then name another file. So
/// no state may remain by which a channel of that file would be taken for the old one.
private final class OneShotReport<Value: Sendable>: Sendable {
  private struct State {
    var result: (Value, Int32)?
    var isOver = false
  }

  private let state = BargingLock(State())
  private let handler: @Sendable (Value, Int32) -> Void

  init(_ handler: @escaping @Sendable (Value, Int32) -> Void) {
    self.handler = handler
  }

  func take(_ value: Value, _ error: Int32) {
    let isOver = state.withLock { state in
      state.result = (value, error)
      return state.isOver
    }
    if isOver { handler(value, error) }
  }

  func isOver() {
    let result = state.withLock { state in
      state.isOver = true
      return state.result
    }
    if let result { handler(result.0, result.1) }
  }
}
