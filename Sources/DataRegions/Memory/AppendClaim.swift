internal import Synchronization

/// Says which bytes of memory that appends share belong to somebody.
///
/// Bytes are claimed before they are written and never change again. Values that share the memory
/// may therefore append at the same time: one of them gets the place, the others look elsewhere.
struct AppendClaim: ~Copyable, Sendable {
  static let smallestCapacity = 256
  static let largestCapacity = 64 << 10

  let capacity: Int

  /// The number of bytes that belong to somebody, or `capacity + 1` once a successor was made.
  private let claimed = Atomic(0)

  init(capacity: Int) {
    self.capacity = capacity
  }

  enum Answer {
    case claimed
    /// The room is too small; the first who finds that goes on with memory of this capacity.
    case outgrown(nextCapacity: Int)
    /// Another value has claimed the place.
    case lost
  }

  /// The room for bytes whose place another value has claimed.
  ///
  /// It follows from what is appended: a value whose place is taken again and again keeps some 110
  /// bytes for each append of one, which the smallest capacity would make 350.
  static func capacityOfALoser(appending count: Int) -> Int {
    max(16, 2 * count)
  }

  /// Claims `count` bytes from `end` on, where the bytes of the value end that asks.
  ///
  /// Only one of the values that share this memory hears that it is outgrown. The others have lost
  /// and start small again: many copies of one value would else take the largest room each.
  func take(_ count: Int, at end: Int) -> Answer {
    let fits = count <= capacity - end
    // The claim orders no memory: whoever reads the bytes got the value from whoever wrote them.
    let isFirst = claimed.compareExchange(
      expected: end,
      desired: fits ? end + count : capacity + 1,
      ordering: .relaxed
    ).exchanged
    guard isFirst else { return .lost }
    return fits ? .claimed : .outgrown(nextCapacity: min(capacity * 2, Self.largestCapacity))
  }
}
