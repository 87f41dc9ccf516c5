internal import Synchronization
internal import SystemCalls

/// A lock for states that many threads change for a few dozen nanoseconds each.
///
/// The standard library's `Mutex` is handed from its owner to the thread that waits longest, by the
/// kernel: once threads wait, each change costs a switch of threads, and they keep waiting. This
/// lock goes to whoever comes first after it was left, which wastes no time, and is not fair: use
/// it where no thread changes the state again and again without other work between.
///
/// Unlike that of `Mutex`, its slow path is visible to the thread sanitizer, which therefore finds
/// no false races around it.
///
/// It must not be taken again by its owner, and whoever holds it runs no foreign code.
///
/// Its face can be inlined, so that other modules get it for their own types of state: the code for
/// any type would cost more than the lock.
@safe
@usableFromInline
package struct BargingLock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let word = LockWord()
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Makes a free lock around a state.
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

  /// Changes the state with nobody else inside and returns what the closure returns.
  @inlinable
  package func withLock<Result: ~Copyable>(
    _ body: (inout State) -> sending Result
  ) -> sending Result {
    word.acquire()
    defer { word.release() }
    return unsafe body(&state.pointee)
  }

  /// Changes the state by a value that goes into it: a closure that captures the value copies it.
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

/// Who holds a lock: 0 while free, 1 while held, 2 while held and a thread may be parked.
@usableFromInline
struct LockWord: ~Copyable, Sendable {
  private let word = Atomic<UInt32>(0)

  @usableFromInline
  init() {}

  @usableFromInline
  func acquire() {
    if !tryToAcquire() { acquireSlowly() }
  }

  @usableFromInline
  func release() {
    if word.exchange(0, ordering: .releasing) == 2 { word.unpark() }
  }

  @inline(__always)
  private func tryToAcquire() -> Bool {
    word.compareExchange(
      expected: 0,
      desired: 1,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  @inline(never)
  private func acquireSlowly() {
    // The owner is about to leave unless it lost its processor, which these turns cannot mend.
    if spin(until: { word.load(ordering: .relaxed) == 0 && tryToAcquire() }) { return }
    while word.exchange(2, ordering: .acquiring) != 0 { word.park(while: 2) }
  }
}
