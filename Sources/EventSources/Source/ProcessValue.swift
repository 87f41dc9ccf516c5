import IOChannelsLocks
import IOChannelsSystem
import QueueRuntime

/// A value that the first use creates for the process.
///
/// In a child of a fork it cannot be used: the child's copy of the kernel's objects is that of its
/// parent.
final class ProcessValue<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value?
    /// The process that created the value, as a fork copies it.
    var generation: UInt32 = 0
  }

  private let state = BargingLock(State())
  private let create: @Sendable () throws(SystemError) -> Value

  init(_ create: @escaping @Sendable () throws(SystemError) -> Value) {
    self.create = create
  }

  /// Returns the value.
  ///
  /// - Throws: The error of the creation, which a later call tries again. `EOWNERDEAD` in a child
  ///   of a fork.
  func get() throws(SystemError) -> Value {
    try state.withLock { state in
      Result { () throws(SystemError) in
        if let value = state.value {
          if state.generation != ProcessGeneration.current { throw .ownerDied }
          return value
        }
        let new = try create()
        state = State(value: new, generation: ProcessGeneration.current)
        return new
      }
    }.get()
  }
}
