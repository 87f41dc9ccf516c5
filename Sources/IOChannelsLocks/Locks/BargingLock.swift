public import Synchronization
internal import IOChannelsSystem

/// A lock for states that many threads change for a few dozen nanoseconds each.
///
/// The kernel passes the standard library's `Mutex` from its owner to the thread that waits
/// longest: once threads wait, each change costs a context switch, and the threads keep waiting.
/// This lock goes to the first thread that comes after it was released, which wastes no time but is
/// not fair. Use it where no thread changes the state again and again without other work between.
///
/// Unlike the slow path of `Mutex`, this one is visible to the thread sanitizer, which therefore
/// reports no false races around it.
///
/// The owner must not acquire the lock again, and must not run foreign code while it holds the
/// lock.
///
/// The interface can be inlined, so that other modules get specialised code for their state types:
/// unspecialised code would cost more than the lock.
@safe
@usableFromInline
package struct BargingLock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let word = LockWord()
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Creates a free lock around a state.
  @inlinable
  package init(_ initial: consuming sending State) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: initial)
  }

  @inlinable
  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Changes the state with exclusive access and returns the result of the closure.
  @inlinable
  package func withLock<Result: ~Copyable>(
    _ body: (inout State) -> sending Result
  ) -> sending Result {
    word.acquire()
    defer { word.release() }
    return unsafe body(&state.pointee)
  }

  /// Changes the state with a value that is moved into it; a closure that captures the value would
  /// copy it.
  @inlinable
  package func withLock<Value, Result: ~Copyable>(
    giving value: consuming Value,
    _ body: (inout State, consuming Value) -> sending Result
  ) -> sending Result {
    word.acquire()
    defer { word.release() }
    return unsafe body(&state.pointee, value)
  }
}

/// The state of a lock: 0 while free, 1 while held, 2 while held and a thread may be parked.
@usableFromInline
package struct LockWord: ~Copyable, Sendable {
  @usableFromInline let word = Atomic<UInt32>(0)

  /// Creates the state of a free lock.
  @inlinable
  package init() {}

  /// Acquires the lock, which the thread must not hold.
  @inlinable
  package func acquire() {
    if !tryToAcquire() { acquireSlowly() }
  }

  /// Releases the lock, which the thread holds.
  @inlinable
  package func release() {
    if word.exchange(0, ordering: .releasing) == 2 { wakeOne() }
  }

  @inlinable
  @inline(__always)
  func tryToAcquire() -> Bool {
    word.compareExchange(
      expected: 0,
      desired: 1,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  @inline(never)
  @usableFromInline
  func wakeOne() { word.unpark() }

  @inline(never)
  @usableFromInline
  func acquireSlowly() {
    // The owner is about to release the lock unless it lost its processor, against which spinning
    // does not help.
    if spin(until: { word.load(ordering: .relaxed) == 0 && tryToAcquire() }) { return }
    while word.exchange(2, ordering: .acquiring) != 0 { word.park(while: 2) }
  }
}
