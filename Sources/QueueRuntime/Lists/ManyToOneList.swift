internal import Synchronization
internal import SystemCalls

/// A list to which any thread adds without a lock and from which one holder takes in order.
///
/// The list is free or held. Adding to a free list makes it held, and the one who added starts a
/// holder; adding to a held list is all there is to do. The holder takes elements until there are
/// none and lets go, which fails when something was added meanwhile. Holding may pass from thread
/// to thread as long as passing it on orders memory.
///
/// Elements lie in raw memory: a class instance would be released by its producer after the holder
/// may have freed it. The list has no bound of its own; whoever adds has one.
@safe
package struct ManyToOneList<Element: ~Copyable>: ~Copyable, @unchecked Sendable {
  private typealias Link = UnsafeMutablePointer<Node<Element>>

  private let word = Atomic<UInt>(HoldWord.free.bits)
  /// Keeps the holder's writes out of the cache line that producers fight for.
  private let padding = InlineArray<7, UInt>(repeating: 0)
  /// The oldest element that the holder has taken over but not returned yet; only it looks here.
  private let oldest = Atomic<UInt>(0)
  /// The elements that were ever taken over, and those of them that were taken; only the holder
  /// writes these.
  private let takenOver = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  /// Twice the number of those who count what is new, which the holder leaves as it is meanwhile,
  /// and 1 while the holder waits for them, so that no others begin.
  private let readers = Atomic<UInt32>(0)

  /// Makes a free list.
  package init() {}

  deinit {
    while takeFirst() != nil {}
  }

  /// Adds an element behind all others.
  ///
  /// - Returns: Whether the list was free, so that the caller must start a holder.
  /// - Complexity: O(1), again for each other thread that adds at the same moment.
  package func add(_ element: consuming Element) -> Bool {
    let node = Link.allocate(capacity: 1)
    unsafe node.initialize(to: Node(element: element))
    var seen = HoldWord(bits: word.load(ordering: .relaxed))
    while true {
      let (next, link, isFirst) = seen.adding(UInt(bitPattern: node))
      unsafe node.pointee.link = link
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

  /// How many elements were ever added, and how many of them taken; for people who look.
  ///
  /// Whoever adds pays nothing for it: new elements are counted here, and the holder waits for that
  /// before it frees them. Elements that the holder takes over at this moment may be missing.
  ///
  /// - Complexity: O(new elements)
  package var counts: (added: Int, taken: Int) {
    // Either the holder sees the reader after it took the new elements over, and waits, or the
    // reader sees that they were taken over.
    beginReading()
    let seen = HoldWord(bits: word.load(ordering: .sequentiallyConsistent))
    var count = 0
    var next = unsafe Link(bitPattern: seen.newest)
    while let node = unsafe next {
      count += 1
      unsafe next = Link(bitPattern: node.pointee.link)
    }
    let taken = taken.load(ordering: .acquiring)
    count += takenOver.load(ordering: .relaxed)
    let left = readers.wrappingSubtract(2, ordering: .sequentiallyConsistent).newValue
    if left == 1 { readers.unpark(.max) }
    return (count, taken)
  }

  /// Whether somebody holds the list; for people who look.
  package var isHeld: Bool { HoldWord(bits: word.load(ordering: .relaxed)).isHeld }

  /// Takes hold of a free list.
  ///
  /// - Returns: False when somebody else holds it.
  package func hold() -> Bool {
    guard let next = HoldWord(bits: word.load(ordering: .relaxed)).holding else { return false }
    return word.compareExchange(
      expected: HoldWord.free.bits,
      desired: next.bits,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Lets go of a list whose elements were all taken; only its holder may call this.
  ///
  /// - Returns: False when something was added meanwhile: the caller still holds the list.
  package func release() -> Bool {
    guard oldest.load(ordering: .relaxed) == 0 else { return false }
    guard let next = HoldWord(bits: word.load(ordering: .relaxed)).releasing else { return false }
    return word.compareExchange(
      expected: HoldWord.held.bits,
      desired: next.bits,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Takes the oldest element; only the holder may call this.
  package func takeFirst() -> Element? {
    guard let node = unsafe refill() else { return nil }
    return unsafe take(node)
  }

  /// Takes the oldest element if `condition` holds for it; only the holder may call this.
  package func takeFirst(if condition: (borrowing Element) -> Bool) -> Element? {
    guard let node = unsafe refill(), unsafe condition(node.pointee.element) else { return nil }
    return unsafe take(node)
  }

  private func take(_ node: Link) -> Element {
    unsafe oldest.store(node.pointee.link, ordering: .relaxed)
    taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    let element = unsafe node.move().element
    unsafe node.deallocate()
    return element
  }

  /// The oldest element that the holder has taken over, after taking over what is new if needed.
  private func refill() -> Link? {
    let address = oldest.load(ordering: .relaxed)
    if address != 0 { return unsafe Link(bitPattern: address) }
    if word.load(ordering: .relaxed) <= HoldWord.held.bits { return nil }
    let new = HoldWord(bits: word.exchange(HoldWord.held.bits, ordering: .sequentiallyConsistent))
    if readers.load(ordering: .sequentiallyConsistent) > 0 { waitForReaders() }
    // The links lead from new to old; turning them around gives the order of adding.
    var turned: Link?
    var next = unsafe Link(bitPattern: new.newest)
    var count = takenOver.load(ordering: .relaxed)
    while let node = unsafe next {
      unsafe next = Link(bitPattern: node.pointee.link)
      unsafe node.pointee.link = UInt(bitPattern: turned)
      unsafe turned = node
      count &+= 1
    }
    takenOver.store(count, ordering: .relaxed)
    oldest.store(UInt(bitPattern: turned), ordering: .relaxed)
    return unsafe turned
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

/// One element and the address of its neighbour.
private struct Node<Element: ~Copyable>: ~Copyable {
  var link: UInt = 0
  var element: Element
}
