import IOChannelsEngine
internal import IOChannelsLocks

/// What one event of an operation leads to.
///
/// It is moved, never copied: a copy would retain all that is in it.
struct TransferEffects: ~Copyable {
  /// What is done under the lock, and forgotten then.
  var steps = TransferSteps()
  // What is left to do when the lock is free again.
  var requests = ShortList<Request>()
  var cancellations = ShortList<Request>()
  var returnedMemory = 0
  var mustSchedule = false
  /// Whether the visit to schedule is counted as one that is not submitted yet.
  var isCounted = false
  var hasEnded = false
  var stopTimer: (@Sendable () -> Void)?
}

/// A transfer that waits for memory.
struct StalledTransfer {
  let tag: Int
  let memory: Int
  let offset: Int
}
