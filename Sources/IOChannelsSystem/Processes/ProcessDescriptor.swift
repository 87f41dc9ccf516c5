internal import CIOChannelsSystem

/// A descriptor that refers to one process, even after its number is reused (pidfd).
///
/// It is readable once the last thread of the process has ended, and hung up once the process was
/// waited for.
package struct ProcessDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Opens the descriptor of any process that this one can see.
  ///
  /// - Throws: `ESRCH` if there is no such process, `ENOENT` or `EINVAL` for the number of a
  ///   thread, `ENOSYS` before Linux 5.3.
  package init(of process: Int32) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_process_open(process).get()))
  }

  /// Returns the wait status of a process that has ended, nil if the kernel does not report it yet.
  ///
  /// A child can still be waited for with `waitpid`. The status of another process is known once
  /// its parent has waited for it, on kernels that keep it.
  package func waitStatus() -> Int32? {
    if let status = try? csys_child_status(borrowed.rawValue).get() {
      return Int32(truncatingIfNeeded: status)
    }
    return (try? csys_ended_status(borrowed.rawValue).get()).map(Int32.init(truncatingIfNeeded:))
  }
}
