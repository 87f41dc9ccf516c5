public import Synchronization

/// A reference that threads may set once, and read without a lock.
///
/// `AtomicLazyReference` does the same, but the toolchain does not specialise it: each of its loads
/// looks up the metadata of a generic type, which took 7 % of a hop between queues.
@safe
@usableFromInline
package struct SetOnceReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The instance, whose reference count includes this value.
  ///
  /// The exchange that stores it is releasing and all loads are acquiring, so a thread that sees
  /// the instance also sees its properties.
  @usableFromInline let instance = unsafe Atomic<Unmanaged<Instance>?>(nil)

  /// Creates a reference without an instance.
  @inlinable
  package init() {}

  @inlinable
  deinit {
    unsafe instance.load(ordering: .acquiring)?.release()
  }

  /// Returns the instance once one is set.
  @inlinable
  package func load() -> Instance? {
    unsafe instance.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  /// Sets the instance unless one is set, and returns the one that is set.
  @inlinable
  package func storeIfNil(_ new: Instance) -> Instance {
    let retained = unsafe Unmanaged.passRetained(new)
    let (isStored, existing) = unsafe instance.compareExchange(
      expected: nil,
      desired: retained,
      ordering: .acquiringAndReleasing
    )
    guard !isStored, let existing = unsafe existing else { return new }
    unsafe retained.release()
    return unsafe existing.takeUnretainedValue()
  }
}
