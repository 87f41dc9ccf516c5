import IOChannels
import QueueRuntime
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem

/// Reads of a random channel, a handler each; whoever ends one begins the next.
final class ChannelReads: Sendable {
  /// What the handlers have seen, which run one after the other.
  private struct Seen {
    var ended = 0
    var bytes = 0
    /// Processor time of the calls that begin reads, on their own thread.
    var callNanoseconds = 0
    var error: SystemError?
  }

  private let work: Work
  private let channel: IOChannel
  private let queue = WorkQueue(label: "reads")
  private let seen = BargingLock(Seen())
  private let end = WorkGroup()

  init(_ work: Work, engine: Engine, file: BorrowedDescriptor) {
    self.work = work
    channel = IOChannel(
      type: .random,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: queue,
      cleanupHandler: { _ in }
    )
  }

  /// Carries all reads out.
  ///
  /// - Returns: The processor time of the threads that began them, while they did, in seconds.
  func run() throws -> Double {
    end.enter()
    for index in 0..<work.depth { read(index) }
    end.wait()
    let seen = seen.withLock { $0 }
    if let error = seen.error { throw error }
    let expected = work.count * work.size
    if seen.bytes != expected { throw BenchFailure("\(seen.bytes) bytes instead of \(expected)") }
    return Double(seen.callNanoseconds) / 1e9
  }

  private func read(_ index: Int) {
    let start = Usage.threadNanoseconds
    channel.read(
      offset: work.offset(of: index),
      length: work.size,
      queue: queue
    ) { [self] isDone, data, error in
      seen.withLock { seen in
        seen.bytes += data?.count ?? 0
        seen.error = seen.error ?? SystemError(errno: error)
      }
      if isDone { ended(index) }
    }
    let time = Usage.threadNanoseconds - start
    seen.withLock { $0.callNanoseconds += time }
  }

  private func ended(_ index: Int) {
    if index + work.depth < work.count { read(index + work.depth) }
    let ended = seen.withLock { seen in
      seen.ended += 1
      return seen.ended
    }
    if ended == work.count { end.leave() }
  }
}
