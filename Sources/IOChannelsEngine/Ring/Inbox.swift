import Synchronization

/// An object that lies in at most one `Inbox` at a time.
package class InboxEntry: @unchecked Sendable {
  /// The address of the neighbour in the inbox.
  fileprivate var link: UInt = 0

  init() {}
}

/// A list of objects to which any thread adds without a lock and from which one holder removes in
/// order.
///
/// It has the rules of `ManyToOneList`. Its elements are their own nodes, so that a request needs
/// no further memory on its way to the ring's thread. The inbox retains an element until it is
/// removed. The list has no bound; its owner has one.
@safe
struct Inbox: ~Copyable, Sendable {
  /// The word of a list that no thread holds, which is empty.
  private static let free: UInt = 0
  /// The word of a held list without elements added since the holder's last look. Any other word
  /// is the address of the newest element.
  private static let held: UInt = 1

  private let word = Atomic<UInt>(Inbox.free)
  /// Padding that keeps the holder's writes out of the cache line that producers contend for.
  private let padding = InlineArray<7, UInt>(repeating: 0)
  /// The oldest element taken over but not yet removed, which only the holder accesses.
  private let oldest = Atomic<UInt>(0)

  init() {}

  deinit {
    while takeFirst() != nil {}
  }

  /// Adds an element after all others.
  ///
  /// - Returns: Whether the list was free, so that the caller must wake a holder.
  /// - Complexity: O(1), once more for each thread that adds at the same moment.
  func add(_ entry: InboxEntry) -> Bool {
    let address = unsafe UInt(bitPattern: Unmanaged.passRetained(entry).toOpaque())
    var seen = word.load(ordering: .relaxed)
    while true {
      entry.link = seen
      let (exchanged, found) = word.weakCompareExchange(
        expected: seen,
        desired: address,
        successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed
      )
      if exchanged { return seen == Self.free }
      seen = found
    }
  }

  /// Acquires a free list.
  func hold() -> Bool {
    word.compareExchange(
      expected: Self.free,
      desired: Self.held,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Releases a list whose elements were all removed, unless an element was added meanwhile; only
  /// its holder may call this.
  func release() -> Bool {
    guard oldest.load(ordering: .relaxed) == 0 else { return false }
    return word.compareExchange(
      expected: Self.held,
      desired: Self.free,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Removes and returns the oldest element; only the holder may call this.
  func takeFirst() -> InboxEntry? {
    var address = oldest.load(ordering: .relaxed)
    if address == 0 { address = takeOver() }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    let entry = unsafe Unmanaged<InboxEntry>.fromOpaque(pointer).takeRetainedValue()
    oldest.store(entry.link, ordering: .relaxed)
    return entry
  }

  /// Takes the new elements, and returns the address of the oldest, 0 if there are none.
  private func takeOver() -> UInt {
    if word.load(ordering: .relaxed) <= Self.held { return 0 }
    // The links lead from new to old; reversing them gives the order of adding.
    var next = word.exchange(Self.held, ordering: .acquiringAndReleasing)
    var turned: UInt = 0
    while next > Self.held, let pointer = unsafe UnsafeRawPointer(bitPattern: next) {
      let entry = unsafe Unmanaged<InboxEntry>.fromOpaque(pointer).takeUnretainedValue()
      (turned, next, entry.link) = (next, entry.link, turned)
    }
    return turned
  }
}
