/// A list to which any thread adds without a lock and from which one holder removes in order.
///
/// The list is free or held. Adding to a free list makes it held, and the thread that added starts
/// a holder; adding to a held list needs nothing else. The holder removes elements until none are
/// left and releases the list, which fails when an element was added meanwhile. The hold may pass
/// from thread to thread as long as passing it orders memory.
///
/// Elements lie in raw memory: a class instance would be released by its producer after the holder
/// may have freed it. The list has no bound; its owner has one.
///
/// The interface can be inlined, so that other modules get specialised code for their element
/// types.
@safe
@usableFromInline
package struct ManyToOneList<Element: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Node = UnsafeMutablePointer<ListNode<Element>>

  @usableFromInline let links = ManyToOneLinks()

  /// Creates a free list.
  @inlinable
  package init() {}

  @inlinable
  deinit {
    while takeFirst() != nil {}
  }

  /// The bytes of memory that an element needs in the list.
  @inlinable
  package static var nodeByteCount: Int { MemoryLayout<ListNode<Element>>.size }

  /// Adds an element after all others.
  ///
  /// - Returns: Whether the list was free, so that the caller must start a holder.
  /// - Complexity: O(1), once more for each thread that adds at the same moment.
  @inlinable
  package func add(_ element: consuming Element) -> Bool {
    unsafe add(element, to: Node.allocate(capacity: 1), isLent: false)
  }

  /// Adds an element after all others, in memory that the caller lends to the list.
  ///
  /// The memory has at least `nodeByteCount` bytes, and must exist until the element was removed.
  ///
  /// - Returns: Whether the list was free, so that the caller must start a holder.
  @inlinable
  package func add(_ element: consuming Element, in memory: LentMemory) -> Bool {
    let node = unsafe memory.start.bindMemory(to: ListNode<Element>.self, capacity: 1)
    return unsafe add(element, to: node, isLent: true)
  }

  @inlinable
  func add(_ element: consuming Element, to node: Node, isLent: Bool) -> Bool {
    unsafe node.initialize(to: ListNode(element: element))
    let link = unsafe UnsafeMutableRawPointer(node).assumingMemoryBound(to: UInt.self)
    return unsafe links.add(link, isLent: isLent)
  }

  /// The numbers of elements ever added and ever removed, for debugging.
  ///
  /// Adding has no cost for it: new elements are counted here, and the holder waits for that before
  /// it frees them. Elements that the holder takes over at this moment may be missing.
  ///
  /// - Complexity: O(new elements)
  package var counts: (added: Int, taken: Int) { links.counts }

  /// Whether the list is held; a thread that finds it free sees what the last holder has done.
  package var isHeld: Bool { links.isHeld }

  /// Acquires a free list.
  ///
  /// - Returns: False when another thread holds it.
  @inlinable
  package func hold() -> Bool { links.hold() }

  /// Releases a list whose elements were all removed; only its holder may call this.
  ///
  /// - Returns: False when an element was added meanwhile: the caller still holds the list.
  @inlinable
  package func release() -> Bool { links.release() }

  /// Removes and returns the oldest element; only the holder may call this.
  @inlinable
  package func takeFirst() -> Element? {
    guard let (link, isLent) = unsafe links.first() else { return nil }
    return unsafe take(link, isLent: isLent)
  }

  /// Removes and returns the oldest element if `condition` holds for it; only the holder may call
  /// this.
  @inlinable
  package func takeFirst(if condition: (borrowing Element) -> Bool) -> Element? {
    guard let (link, isLent) = unsafe links.first(),
      unsafe condition(node(link).pointee.element)
    else { return nil }
    return unsafe take(link, isLent: isLent)
  }

  @inlinable
  func take(_ link: ManyToOneLinks.Node, isLent: Bool) -> Element {
    unsafe links.take(link)
    let node = unsafe node(link)
    let element = unsafe node.move().element
    if !isLent { unsafe node.deallocate() }
    return element
  }

  @inlinable
  func node(_ link: ManyToOneLinks.Node) -> Node {
    unsafe UnsafeMutableRawPointer(link).assumingMemoryBound(to: ListNode<Element>.self)
  }
}

/// Memory for one element of a list, which its owner lends until the element was removed.
@safe
@usableFromInline
package struct LentMemory: @unchecked Sendable {
  @usableFromInline let start: UnsafeMutableRawPointer

  /// Lends memory from an address on that is a multiple of 8.
  @inlinable
  package init(start: UnsafeMutableRawPointer) {
    unsafe self.start = start
  }
}

/// One element after the address of its neighbour.
@usableFromInline
struct ListNode<Element: ~Copyable>: ~Copyable {
  @usableFromInline var link: UInt = 0
  @usableFromInline var element: Element

  @inlinable
  init(element: consuming Element) {
    self.element = element
  }
}
