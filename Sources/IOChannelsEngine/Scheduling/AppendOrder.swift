import QueueRuntime
import IOChannelsSystem

/// Lets one appending write of a descriptor go at a time, in the order of submission.
///
/// The kernel puts such a write at the end of the file whenever it comes to it, so that several
/// under way would change places. The rest of a short one is a write of its own, which its owner
/// submits before the next may go, and which passes all that wait: so nothing comes in between.
/// There are never more than the submitters have under way, who have bounds of their own.
struct AppendOrder {
  /// For each descriptor with a write under way, those that wait behind it.
  private var lines: [BorrowedDescriptor: FirstInFirstOut<Request>] = [:]

  /// Takes a write.
  ///
  /// - Returns: Whether it goes now.
  mutating func begin(_ request: Request) -> Bool {
    if lines[request.descriptor] == nil {
      lines[request.descriptor] = FirstInFirstOut()
      return true
    }
    if request.isRest {
      lines[request.descriptor]?.prepend(request)
    } else {
      lines[request.descriptor]?.append(request)
    }
    return false
  }

  /// Notes the end of a write that went.
  ///
  /// - Returns: The write that goes next.
  mutating func ended(_ request: Request) -> Request? {
    let next = lines[request.descriptor]?.popFirst()
    if next == nil { lines[request.descriptor] = nil }
    return next
  }

  /// Takes a write out that waits; false when it does not.
  mutating func cancel(_ request: Request) -> Bool {
    lines[request.descriptor]?.removeFirst { $0 === request } != nil
  }

  /// Takes out all that wait.
  mutating func cancelAll() -> [Request] {
    var waiting: [Request] = []
    for descriptor in lines.keys {
      waiting += lines[descriptor]?.removeAll { _ in true } ?? []
    }
    return waiting
  }
}
