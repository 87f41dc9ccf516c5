internal import IOChannelsLocks
import IOChannelsSystem

/// The order of appending writes: one at a time for each descriptor, in the order of submission.
///
/// The kernel appends at the time when it carries out the write, so concurrent ones would change
/// places. The rest of a short write is a write of its own. Its owner submits it before the next
/// one starts, and it goes ahead of all that wait, so nothing comes in between. There are never
/// more entries than requests of the submitters, which have limits of their own.
struct AppendOrder {
  /// The waiting writes for each descriptor that has a pending write.
  private var queues: [BorrowedDescriptor: FirstInFirstOut<Request>] = [:]

  /// The number of waiting writes.
  var waitingCount: Int { queues.values.reduce(0) { $0 + $1.count } }

  /// Adds a write.
  ///
  /// - Returns: Whether the write starts now.
  mutating func begin(_ request: Request) -> Bool {
    if queues[request.descriptor] == nil {
      queues[request.descriptor] = FirstInFirstOut()
      return true
    }
    if request.isRest {
      queues[request.descriptor]?.prepend(request)
    } else {
      queues[request.descriptor]?.append(request)
    }
    return false
  }

  /// Records the end of a write that was started.
  ///
  /// - Returns: The write to start next.
  mutating func ended(_ request: Request) -> Request? {
    let next = queues[request.descriptor]?.popFirst()
    if next == nil { queues[request.descriptor] = nil }
    return next
  }

  /// Removes a waiting write; returns false if it does not wait.
  mutating func cancel(_ request: Request) -> Bool {
    queues[request.descriptor]?.removeFirst { $0 === request } != nil
  }
}
