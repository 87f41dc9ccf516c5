internal import IOChannelsLocks

/// The state of a transfer and its lock, in the memory of the operation itself.
///
/// A `BargingLock` would allocate memory for the state of each operation.
class LockedTransfer: @unchecked Sendable {
  private let lock = LockWord()
  @exclusivity(unchecked) private var contents: TransferStorage.State

  init(_ initial: TransferStorage.State) {
    unsafe contents = initial
  }

  /// Changes the state with exclusive access and returns the result of the closure.
  final func withState<Result>(_ body: (inout TransferStorage.State) -> Result) -> Result {
    lock.acquire()
    defer { lock.release() }
    return unsafe body(&contents)
  }
}
