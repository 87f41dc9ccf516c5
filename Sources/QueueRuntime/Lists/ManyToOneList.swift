/// A list to which any thread adds without a lock and from which one holder takes in order.
///
/// The list is free or held. Adding to a free list makes it held, and the one who added starts a
/// holder; adding to a held list is all there is to do. The holder takes elements until there are
/// none and lets go, which fails when something was added meanwhile. Holding may pass from thread
/// to thread as long as passing it on orders memory.
///
/// Elements lie in raw memory: a class instance would be released by its producer after the holder
/// may have freed it. The list has no bound of its own; whoever adds has one.
///
/// Its face can be inlined, so that other modules get it for their own types of element.
@safe
@usableFromInline
package struct ManyToOneList<Element: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Node = UnsafeMutablePointer<ListNode<Element>>

  @usableFromInline let links = ManyToOneLinks()

  /// Makes a free list.
  @inlinable
  package init() {}

  @inlinable
  deinit {
    while takeFirst() != nil {}
  }

  /// Adds an element behind all others.
  ///
  /// - Returns: Whether the list was free, so that the caller must start a holder.
  /// - Complexity: O(1), again for each other thread that adds at the same moment.
  @inlinable
  package func add(_ element: consuming Element) -> Bool {
    let node = Node.allocate(capacity: 1)
    unsafe node.initialize(to: ListNode(element: element))
    return unsafe links.add(UnsafeMutableRawPointer(node).assumingMemoryBound(to: UInt.self))
  }

  /// How many elements were ever added, and how many of them taken; for people who look.
  ///
  /// Whoever adds pays nothing for it: new elements are counted here, and the holder waits for that
  /// before it frees them. Elements that the holder takes over at this moment may be missing.
  ///
  /// - Complexity: O(new elements)
  package var counts: (added: Int, taken: Int) { links.counts }

  /// Whether somebody holds the list; for people who look.
  package var isHeld: Bool { links.isHeld }

  /// Takes hold of a free list.
  ///
  /// - Returns: False when somebody else holds it.
  @inlinable
  package func hold() -> Bool { links.hold() }

  /// Lets go of a list whose elements were all taken; only its holder may call this.
  ///
  /// - Returns: False when something was added meanwhile: the caller still holds the list.
  @inlinable
  package func release() -> Bool { links.release() }

  /// Takes the oldest element; only the holder may call this.
  @inlinable
  package func takeFirst() -> Element? {
    guard let link = unsafe links.first() else { return nil }
    return unsafe take(link)
  }

  /// Takes the oldest element if `condition` holds for it; only the holder may call this.
  @inlinable
  package func takeFirst(if condition: (borrowing Element) -> Bool) -> Element? {
    guard let link = unsafe links.first(), unsafe condition(node(link).pointee.element) else {
      return nil
    }
    return unsafe take(link)
  }

  @inlinable
  func take(_ link: ManyToOneLinks.Node) -> Element {
    unsafe links.take(link)
    let node = unsafe node(link)
    let element = unsafe node.move().element
    unsafe node.deallocate()
    return element
  }

  @inlinable
  func node(_ link: ManyToOneLinks.Node) -> Node {
    unsafe UnsafeMutableRawPointer(link).assumingMemoryBound(to: ListNode<Element>.self)
  }
}

/// One element, behind the address of its neighbour.
@usableFromInline
struct ListNode<Element: ~Copyable>: ~Copyable {
  @usableFromInline var link: UInt = 0
  @usableFromInline var element: Element

  @inlinable
  init(element: consuming Element) {
    self.element = element
  }
}
