import Glibc
import IOChannels
import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Lends a channel and returns when it has cleaned up: before that the descriptor is the channel's,
/// and its number must not become that of another file.
func withChannel(
  _ kind: IOChannel.StreamType,
  _ descriptor: borrowing OwnedDescriptor,
  _ queue: WorkQueue,
  _ body: (IOChannel) throws -> Void
) rethrows {
  let end = WorkGroup()
  end.enter()
  let channel = IOChannel(type: kind, fileDescriptor: descriptor.rawValue, queue: queue) { _ in
    end.leave()
  }
  defer {
    channel.close()
    end.wait()
  }
  try body(channel)
}

/// Ends the program where a handler is called with an error, which somebody might wait behind.
func stop(if number: Int32, _ operation: String) {
  guard let error = SystemError(errno: number) else { return }
  print("\(operation): \(error)")
  exit(1)
}

/// Waits on this thread until a task has ended.
func waitForTask(_ work: @escaping @Sendable () async throws -> Void) throws {
  let end = CountingSemaphore(value: 0)
  let failure = BargingLock<(any Error)?>(nil)
  Task {
    do { try await work() } catch { failure.withLock { $0 = error } }
    end.signal()
  }
  end.wait()
  if let error = failure.withLock({ $0 }) { throw error }
}
