internal import CIOChannelsSystem

/// Tells a process from the children that it forks.
package enum ProcessGeneration {
  /// How many forks lie between the program's start and this process.
  ///
  /// What was made in another generation is a copy without its threads. Costs no system call.
  @inline(__always)
  package static var current: UInt32 { csys_process_generation() }
}
