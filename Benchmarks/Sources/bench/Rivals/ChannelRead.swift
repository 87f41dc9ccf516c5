import Foundation
import Dispatch
import IOChannels
import Synchronization

/// A channel with its default marks, the same shape as the reader on Dispatch.
enum ChannelRead {
  static func stream(path: String, expecting count: Int) throws -> Duration {
    try timed(path: path, expecting: count) { descriptor in
      let queue = WorkQueue(label: "read")
      let seen = Count()
      let done = DispatchSemaphore(value: 0)
      let channel = IOChannel(kind: .stream, fileDescriptor: descriptor, queue: queue) { _ in
        done.signal()
      }
      channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
        seen.bytes.add(data?.count ?? 0, ordering: .relaxed)
        if let error { seen.error.store(Int(error.rawValue), ordering: .relaxed) }
        if isDone { channel.close() }
      }
      done.wait()
      let error = seen.error.load(ordering: .relaxed)
      guard error == 0 else { throw CommandFailure(description: "IOChannel: error \(error)") }
      return seen.bytes.load(ordering: .relaxed)
    }
  }

  private final class Count: Sendable {
    let bytes = Atomic(0)
    let error = Atomic(0)
  }
}
