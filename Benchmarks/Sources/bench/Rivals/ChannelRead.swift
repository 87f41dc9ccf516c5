import IOChannels
import Synchronization

/// Our way of reading a stream, with the default marks.
enum ChannelRead {
  /// What the handlers count; they run one after the other on a serial queue.
  private final class Count: @unchecked Sendable {
    var bytes = 0
    var error: Errno?
  }

  static func stream(path: String, expecting count: Int) throws -> Duration {
    try timed(path: path, expecting: count) { descriptor in
      let queue = WorkQueue(label: "read")
      let seen = Count()
      let done = WorkGroup()
      done.enter()
      let channel = IOChannel(kind: .stream, fileDescriptor: descriptor, queue: queue) { _ in
        done.leave()
      }
      channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
        seen.bytes += data?.count ?? 0
        seen.error = error
        if isDone { channel.close() }
      }
      done.wait()
      if let error = seen.error { throw CommandFailure(description: "IOChannel: \(error)") }
      return seen.bytes
    }
  }
}
