public import DataRegions
public import QueueRuntime
package import RequestEngine
public import SystemCalls

extension IOChannel {
  /// Reads once from a descriptor, and tells what came when that is all.
  ///
  /// The read ends at `maxLength`, at the end of the file, with an error, or, where bytes keep a
  /// reader waiting, when nothing more is there but something came (S34). It takes its turn among
  /// the streams that channels have of the descriptor, which must stay open until the handler
  /// is called. That happens when the read itself is done (S40).
  ///
  /// - Parameters:
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - maxLength: The most bytes to read; `Int.max` reads what there is.
  ///   - queue: Where the handler runs.
  ///   - handler: Called once, with what was read, also before an error; no bytes and no error
  ///     are the end of the file.
  public static func read(
    fromFileDescriptor fileDescriptor: Int32,
    maxLength: Int,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer, _ error: Errno?) -> Void
  ) {
    read(
      fromFileDescriptor: fileDescriptor,
      maxLength: maxLength,
      engine: .shared,
      runningHandlerOn: queue,
      handler: handler
    )
  }

  /// Writes all of `data` to a descriptor, or tells what is left.
  ///
  /// It takes its turn among the streams that channels have of the descriptor, which must stay
  /// open until the handler is called. That happens when the write itself is done (S40).
  ///
  /// - Parameters:
  ///   - fileDescriptor: The number of the open descriptor.
  ///   - data: The bytes.
  ///   - queue: Where the handler runs.
  ///   - handler: Called once: with `nil` when everything was written, else with what was not and
  ///     the error (S35).
  public static func write(
    toFileDescriptor fileDescriptor: Int32,
    data: DataBuffer,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer?, _ error: Errno?) -> Void
  ) {
    write(
      toFileDescriptor: fileDescriptor,
      data: data,
      engine: .shared,
      runningHandlerOn: queue,
      handler: handler
    )
  }

  /// Reads once through an engine of the caller's choice.
  package static func read(
    fromFileDescriptor fileDescriptor: Int32,
    maxLength: Int,
    engine: Engine,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer, _ error: Errno?) -> Void
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

  /// Writes once through an engine of the caller's choice.
  package static func write(
    toFileDescriptor fileDescriptor: Int32,
    data: DataBuffer,
    engine: Engine,
    runningHandlerOn queue: WorkQueue,
    handler: @escaping @Sendable (_ data: DataBuffer?, _ error: Errno?) -> Void
  ) {
    let report = OneShotReport<DataBuffer?>(handler)
    let core = hiddenChannel(fileDescriptor, engine, queue) { report.isOver() }
    core.write(offset: 0, data: data, queue: queue) { isDone, data, error in
      if isDone { report.take(data, error) }
    }
    core.close(stops: false)
  }

  /// A stream that delivers everything at once, and that only its one operation knows.
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

/// Calls the handler of a one-shot transfer when its result is there and its channel is over.
///
/// In the handler the caller may close the descriptor, whose number another file may have then. So
/// nothing may be left by which a channel of that file would take it for the old one.
private final class OneShotReport<Value: Sendable>: Sendable {
  private struct State {
    var result: (Value, Errno?)?
    var isOver = false
  }

  private let state = BargingLock(State())
  private let handler: @Sendable (Value, Errno?) -> Void

  init(_ handler: @escaping @Sendable (Value, Errno?) -> Void) {
    self.handler = handler
  }

  func take(_ value: Value, _ error: Errno?) {
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
