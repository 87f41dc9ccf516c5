import IOChannelsEngine
import QueueRuntime
internal import IOChannelsLocks

/// The state of a transfer and its lock, in the memory of the operation itself.
///
/// A `BargingLock` would allocate memory for the state of each operation. Many operations may wait,
/// so one that has not started has no state machine. That has memory of its own, and no references
/// that each change would count. The same memory has the place of a work item in the handler's
/// queue.
@safe
class LockedTransfer: @unchecked Sendable {
  private let lock = LockWord()
  @exclusivity(unchecked) private var contents: TransferStorage.State
  @exclusivity(unchecked) private var machine: UnsafeMutablePointer<TransferStorage.Machine>?

  init(_ initial: TransferStorage.State) {
    unsafe contents = initial
  }

  deinit {
    guard let memory = unsafe machine else { return }
    unsafe memory.deinitialize(count: 1)
    unsafe UnsafeMutableRawPointer(memory).deallocate()
  }

  private static let workOffset = MemoryLayout<TransferStorage.Machine>.stride

  /// The memory for one work item at a time, for a thread that knows of the state machine.
  final var workMemory: WorkMemory? {
    guard let memory = unsafe machine else { return nil }
    return unsafe WorkMemory(start: UnsafeMutableRawPointer(memory) + Self.workOffset)
  }

  /// Changes the state with exclusive access and returns the result of the closure.
  final func withState<Answer>(_ body: (inout TransferStorage.State) -> Answer) -> Answer {
    lock.acquire()
    defer { lock.release() }
    return unsafe body(&contents)
  }

  /// Changes the state like `withState`, without the lock, before other threads know the operation.
  final func withUnsharedState(_ body: (inout TransferStorage.State) -> Void) {
    unsafe body(&contents)
  }

  /// Changes the state machine and the state like `withState`; returns nil without a state machine.
  @discardableResult
  final func withMachine<Answer>(
    _ body: (inout TransferStorage.Machine, inout TransferStorage.State) -> Answer
  ) -> Answer? {
    lock.acquire()
    defer { lock.release() }
    guard let memory = unsafe machine else { return nil }
    return unsafe body(&memory.pointee, &contents)
  }

  /// Changes the state machine like `withMachine`, and first creates it if there is none and `make`
  /// returns one.
  @discardableResult
  final func withMachine<Answer>(
    madeBy make: (inout TransferStorage.State) -> TransferStorage.Machine?,
    _ body: (inout TransferStorage.Machine, inout TransferStorage.State) -> Answer
  ) -> Answer? {
    lock.acquire()
    defer { lock.release() }
    if unsafe machine == nil, let made = unsafe make(&contents) {
      let created = UnsafeMutableRawPointer.allocate(
        byteCount: Self.workOffset + WorkMemory.byteCount,
        alignment: 16
      )
      unsafe machine = created.initializeMemory(
        as: TransferStorage.Machine.self,
        to: made
      )
    }
    guard let memory = unsafe machine else { return nil }
    return unsafe body(&memory.pointee, &contents)
  }
}
