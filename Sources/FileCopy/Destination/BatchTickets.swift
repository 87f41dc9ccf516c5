/// The order of flushes that several threads share, as a pure state machine.
///
/// A flush covers the threads that joined before it began. A thread that joins during a flush waits
/// for the next one. So there is at most one flush at a time, and the more threads wait, the more
/// of them one flush serves.
struct BatchTickets<Failure: Error> {
  /// The next step of a thread that has joined.
  enum Step: Sendable {
    /// Flush for `members` threads, of which the thread is one, and report the result.
    case lead(members: Int)
    /// Wait until the current flush has ended.
    case wait
    /// Continue: the flush has ended, with this error if it failed.
    case finished(Failure?)
  }

  private struct Batch {
    var members = 0
    /// The number of members that have not received the result.
    var waiting = 0
    var failure: Failure?
  }

  /// The batches that have members, by their numbers.
  private var batches: [UInt64: Batch] = [:]
  /// The number of the last batch whose flush has ended.
  private var ended: UInt64 = 0
  private var isFlushing = false

  /// The number of batches that have members.
  var count: Int { batches.count }

  /// Adds a thread to the next batch whose flush has not begun, and returns the number of the
  /// batch.
  mutating func join() -> UInt64 {
    let number = ended + (isFlushing ? 2 : 1)
    batches[number, default: Batch()].members += 1
    batches[number, default: Batch()].waiting += 1
    return number
  }

  /// Returns the next step of a member of a batch.
  ///
  /// After ``Step/lead(members:)`` the thread flushes and calls ``end(_:)``. After
  /// ``Step/finished(_:)`` the thread is no member any more.
  mutating func step(of number: UInt64) -> Step {
    if number <= ended {
      let failure = batches[number]?.failure
      batches[number]?.waiting -= 1
      if batches[number]?.waiting == 0 { batches[number] = nil }
      return .finished(failure)
    }
    if isFlushing || number != ended + 1 { return .wait }
    isFlushing = true
    return .lead(members: batches[number]?.members ?? 1)
  }

  /// Records the end of the current flush.
  mutating func end(_ failure: Failure?) {
    ended += 1
    isFlushing = false
    batches[ended]?.failure = failure
  }
}
