import Dispatch
import Foundation

/// Dispatch's way of reading a stream, with its default marks.
enum DispatchRead {
  /// What the handlers count; they run one after the other on a serial queue.
  private final class Count: @unchecked Sendable {
    var bytes = 0
    var error: Int32 = 0
  }

  static func stream(path: String, expecting count: Int) throws -> Duration {
    try timed(path: path, expecting: count) { descriptor in
      let queue = DispatchQueue(label: "read")
      let seen = Count()
      let done = DispatchSemaphore(value: 0)
      let channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
        done.signal()
      }
      channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
        seen.bytes += data?.count ?? 0
        seen.error = error
        if isDone { channel.close() }
      }
      done.wait()
      guard seen.error == 0 else {
        throw CommandFailure(description: "DispatchIO: error \(seen.error)")
      }
      return seen.bytes
    }
  }
}
