internal import CIOChannelsSystem

/// The main queue of libdispatch, if the process contains that library; nothing links it.
package enum DispatchMainQueue {
  /// Whether the process contains the queue and all functions that its use needs.
  ///
  /// The first use of this type decides it.
  package static var exists: Bool { csys_dispatch_exists() }

  /// Whether the calling thread runs work of the queue.
  package static var isCurrent: Bool { csys_dispatch_main_is_current() }

  /// Makes the process behave as if it did not contain libdispatch, for tests of that case.
  ///
  /// It has an effect only before the first use of the queue.
  package static func ignore() { csys_dispatch_ignore() }

  /// Submits a function to the queue, which must exist.
  package static func submit(_ function: @convention(c) () -> Void) {
    csys_dispatch_main_submit(function)
  }

  /// Blocks the main thread until the queue has work for it, and sometimes shorter.
  package static func waitForWork() { _ = csys_dispatch_main_wait() }

  /// Runs the work that waits in the queue, on the main thread.
  ///
  /// It runs nothing if the caller is such work.
  package static func drain() { csys_dispatch_main_drain() }
}
