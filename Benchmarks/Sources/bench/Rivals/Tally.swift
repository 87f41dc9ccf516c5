import Dispatch
import IOChannels

/// The bytes, ends and errors that the handlers of one channel count, one after the other on a
/// serial queue.
final class Tally: @unchecked Sendable {
  var bytes = 0
  var ended = 0
  var error: Int32 = 0

  /// Opens an `IOChannel`, starts operations on it, waits until it is closed, and returns how many
  /// bytes its handlers counted.
  static func ofChannel(
    _ kind: IOChannel.StreamType,
    _ descriptor: Int32,
    _ start: (IOChannel, WorkQueue, Tally) -> Void
  ) throws -> Int {
    let queue = WorkQueue(label: "transfer")
    let tally = Tally()
    let done = WorkGroup()
    done.enter()
    let channel = IOChannel(type: kind, fileDescriptor: descriptor, queue: queue) { _ in
      done.leave()
    }
    start(channel, queue, tally)
    done.wait()
    return try tally.sum("IOChannel")
  }

  /// Does the same as `ofChannel` with a `DispatchIO`.
  static func ofDispatch(
    _ type: DispatchIO.StreamType,
    _ descriptor: Int32,
    _ start: (DispatchIO, DispatchQueue, Tally) -> Void
  ) throws -> Int {
    let queue = DispatchQueue(label: "transfer")
    let tally = Tally()
    let done = DispatchSemaphore(value: 0)
    let channel = DispatchIO(type: type, fileDescriptor: descriptor, queue: queue) { _ in
      done.signal()
    }
    start(channel, queue, tally)
    done.wait()
    return try tally.sum("DispatchIO")
  }

  /// Counts the end of an operation of a chain of `count`, of which `inFlight` run at a time.
  ///
  /// Each end starts the next operation; the last one closes the channel.
  func end(
    _ index: Int,
    of count: Int,
    inFlight: Int,
    start: (Int) -> Void,
    close: () -> Void
  ) {
    ended += 1
    if index + inFlight < count { start(index + inFlight) }
    if ended == count { close() }
  }

  private func sum(_ name: String) throws -> Int {
    guard error == 0 else { throw CommandFailure(description: "\(name): error \(error)") }
    return bytes
  }
}
