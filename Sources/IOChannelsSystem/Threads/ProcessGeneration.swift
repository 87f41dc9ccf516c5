internal import CIOChannelsSystem

/// The generation of this process, which differs in each child of a fork.
package enum ProcessGeneration {
  /// The number of forks between the start of the program and this process.
  ///
  /// An object of another generation is a copy without its threads. Reading the number costs no
  /// system call.
  @inline(__always)
  package static var current: UInt32 { csys_process_generation() }
}
