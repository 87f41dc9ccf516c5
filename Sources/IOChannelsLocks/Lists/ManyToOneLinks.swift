public import Synchronization
internal import IOChannelsSystem

/// The links of a `ManyToOneList`, independent of the element type.
///
/// A node begins with the address of its neighbour. Producers allocate nodes and the holder frees
/// them, unless their memory is lent; this type does neither. The lowest bit of an address marks a
/// node in lent memory.
///
/// Adding, acquiring and releasing can be inlined: for one item each they cost less than a call.
@safe
@usableFromInline
struct ManyToOneLinks: ~Copyable, @unchecked Sendable {
  /// The start of a node.
  @usableFromInline typealias Node = UnsafeMutablePointer<UInt>

  @usableFromInline let word = Atomic<UInt>(HoldWord.free.bits)
  /// Padding that keeps the holder's writes out of the cache line that producers contend for.
  private let padding = InlineArray<7, UInt>(repeating: 0)
  /// The oldest element taken over but not yet returned; only the holder accesses it.
  @usableFromInline let oldest = Atomic<UInt>(0)
  /// The number of elements ever taken over, and the number of those removed; only the holder
  /// writes them.
  private let takenOver = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  /// Twice the number of threads that count new elements, during which the holder leaves these
  /// unchanged; plus 1 while the holder waits for them, so that no further ones begin.
  private let readers = Atomic<UInt32>(0)

  @inlinable static var lentBit: UInt { 1 }

  @usableFromInline
  init() {}

  /// Adds a node after all others.
  ///
  /// - Returns: Whether the list was free.
  @inlinable
  func add(_ node: Node, isLent: Bool) -> Bool {
    let address = UInt(bitPattern: node) | (isLent ? Self.lentBit : 0)
    var seen = HoldWord(bits: word.load(ordering: .relaxed))
    while true {
      let (next, link, isFirst) = seen.adding(address)
      unsafe node.pointee = link
      let (exchanged, found) = word.weakCompareExchange(
        expected: seen.bits,
        desired: next.bits,
        successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed
      )
      if exchanged { return isFirst }
      seen = HoldWord(bits: found)
    }
  }

  /// The numbers of nodes ever added and ever removed.
  @usableFromInline
  var counts: (added: Int, taken: Int) {
    // Either the holder sees the reader after it took the new elements over, and waits, or the
    // reader sees that they were taken over.
    beginReading()
    let seen = HoldWord(bits: word.load(ordering: .sequentiallyConsistent))
    var count = 0
    var next = seen.newest
    while let node = unsafe Self.node(at: next) {
      count += 1
      next = unsafe node.pointee
    }
    let taken = taken.load(ordering: .acquiring)
    count += takenOver.load(ordering: .relaxed)
    let left = readers.wrappingSubtract(2, ordering: .sequentiallyConsistent).newValue
    if left == 1 { readers.unpark(.max) }
    return (count, taken)
  }

  /// Whether the list is held.
  @usableFromInline
  var isHeld: Bool { HoldWord(bits: word.load(ordering: .acquiring)).isHeld }

  /// Acquires a free list.
  @inlinable
  func hold() -> Bool {
    guard let next = HoldWord(bits: word.load(ordering: .relaxed)).holding else { return false }
    return word.compareExchange(
      expected: HoldWord.free.bits,
      desired: next.bits,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Releases a list whose nodes were all removed, unless a node was added meanwhile.
  @inlinable
  func release() -> Bool {
    guard oldest.load(ordering: .relaxed) == 0 else { return false }
    guard let next = HoldWord(bits: word.load(ordering: .relaxed)).releasing else { return false }
    return word.compareExchange(
      expected: HoldWord.held.bits,
      desired: next.bits,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Removes the oldest node, the result of `first`; the holder now owns its memory.
  @usableFromInline
  func take(_ node: Node) {
    unsafe oldest.store(node.pointee, ordering: .relaxed)
    taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// Returns the oldest node, and whether its memory is lent, after taking over new nodes if
  /// needed; only for the holder.
  @usableFromInline
  func first() -> (node: Node, isLent: Bool)? {
    let address = oldest.load(ordering: .relaxed)
    if address != 0 { return unsafe Self.marked(address) }
    if word.load(ordering: .relaxed) <= HoldWord.held.bits { return nil }
    let new = HoldWord(bits: word.exchange(HoldWord.held.bits, ordering: .sequentiallyConsistent))
    if readers.load(ordering: .sequentiallyConsistent) > 0 { waitForReaders() }
    // The links lead from new to old; reversing them gives the order of adding.
    var turned: UInt = 0
    var next = new.newest
    var count = takenOver.load(ordering: .relaxed)
    while let node = unsafe Self.node(at: next) {
      let link = unsafe node.pointee
      unsafe node.pointee = turned
      turned = next
      next = link
      count &+= 1
    }
    takenOver.store(count, ordering: .relaxed)
    oldest.store(turned, ordering: .relaxed)
    return unsafe Self.marked(turned)
  }

  private static func node(at address: UInt) -> Node? {
    unsafe Node(bitPattern: address & ~lentBit)
  }

  private static func marked(_ address: UInt) -> (node: Node, isLent: Bool)? {
    guard let found = unsafe node(at: address) else { return nil }
    return unsafe (found, address & lentBit != 0)
  }

  @inline(never)
  private func waitForReaders() {
    var seen = readers.bitwiseOr(1, ordering: .sequentiallyConsistent).newValue
    while seen != 1 {
      readers.park(while: seen)
      seen = readers.load(ordering: .sequentiallyConsistent)
    }
    readers.store(0, ordering: .sequentiallyConsistent)
    readers.unpark(.max)
  }

  private func beginReading() {
    var seen = readers.load(ordering: .relaxed)
    while true {
      if seen & 1 == 1 {
        readers.park(while: seen)
        seen = readers.load(ordering: .relaxed)
        continue
      }
      let (exchanged, found) = readers.weakCompareExchange(
        expected: seen,
        desired: seen + 2,
        ordering: .sequentiallyConsistent
      )
      if exchanged { return }
      seen = found
    }
  }
}
