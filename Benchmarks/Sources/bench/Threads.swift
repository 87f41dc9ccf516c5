import Foundation

/// A number that one thread at a time changes, as the queue under test sees to.
final class Counter: @unchecked Sendable {
  var value = 0
}

/// Uses a value, so that the work before it has to be done.
@inline(never)
@_optimize(none)
func keep(_ value: Int) {}

/// Runs a closure on two threads at once and returns when both have run it.
func onTwoThreads(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread.detachNewThread {
      body()
      ended.signal()
    }
  }
  for _ in 0..<2 { ended.wait() }
}
