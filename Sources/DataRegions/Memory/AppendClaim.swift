internal import Synchronization

/// A record of the bytes that are taken in memory shared by appends.
///
/// Bytes are claimed before they are written and never change again. Values that share the memory
/// may therefore append at the same time: one of them gets the place, the others use other memory.
struct AppendClaim: ~Copyable, Sendable {
  static let smallestCapacity = 256
  static let largestCapacity = 64 << 10

  let capacity: Int

  /// The number of claimed bytes, or `capacity + 1` once a successor was created.
  private let claimed = Atomic(0)

  init(capacity: Int) {
    self.capacity = capacity
  }

  enum Answer {
    case claimed
    /// The room is too small; the first caller to find that continues with memory of this capacity.
    case outgrown(nextCapacity: Int)
    /// Another value has claimed the place.
    case lost
  }

  /// Returns the capacity of the memory for bytes whose place another value has claimed.
  ///
  /// It depends on the number of appended bytes: a value that loses its place again and again keeps
  /// some 110 bytes for each append of one byte. With the smallest capacity it would keep 350.
  static func capacityOfALoser(appending count: Int) -> Int {
    max(16, 2 * count)
  }

  /// Claims `count` bytes from `end` on, the end of the value that appends.
  ///
  /// Only one of the values that share this memory gets the answer `outgrown`. The others have lost
  /// and start small again: otherwise many copies of one value would each allocate the largest
  /// capacity.
  func take(_ count: Int, at end: Int) -> Answer {
    let fits = count <= capacity - end
    // The claim orders no memory: a reader of the bytes got the value from the thread that wrote
    // them.
    let isFirst = claimed.compareExchange(
      expected: end,
      desired: fits ? end + count : capacity + 1,
      ordering: .relaxed
    ).exchanged
    guard isFirst else { return .lost }
    return fits ? .claimed : .outgrown(nextCapacity: min(capacity * 2, Self.largestCapacity))
  }
}
