import QueueRuntime
import Synchronization
import SystemCalls

/// Ends calls early that wait for a peer, a device or a server.
///
/// It knows the thread of each call that may be interrupted. The signal is sent under the lock, so
/// that it reaches no thread whose call has returned.
final class Interrupter: Sendable {
  /// The pause after the first signal; each further one is twice as long.
  private static let firstPause = Duration.milliseconds(1)
  /// How many signals one cancellation sends at most: a call that a signal can interrupt needs a
  /// second one only if the first has arrived before the call began.
  private static let attemptLimit = 11

  private let threads = BargingLock<[ObjectIdentifier: Int32]>([:])

  /// Makes the call of a request, which `interrupt` can end with `EINTR`.
  ///
  /// - Returns: The result of `body`, which is not run where the request was cancelled before.
  func call<Result>(
    for request: Request,
    ifCancelled cancelled: Result,
    _ body: () -> Result
  ) -> Result {
    let name = ObjectIdentifier(request)
    threads.withLock { $0[name] = PlatformThread.currentNumber }
    defer { threads.withLock { $0[name] = nil } }
    // Whoever cancels later finds the thread.
    guard !request.isCancelled.load(ordering: .acquiring) else { return cancelled }
    return CallInterruption.allowing(body)
  }

  /// Interrupts the call of a request that was cancelled; nothing happens where it makes none.
  func interrupt(_ request: Request) {
    interrupt(ObjectIdentifier(request), attempt: 1)
  }

  private func interrupt(_ name: ObjectIdentifier, attempt: Int) {
    let isCalling = threads.withLock { threads in
      guard let thread = threads[name] else { return false }
      CallInterruption.send(to: thread)
      return true
    }
    guard isCalling, attempt < Self.attemptLimit else { return }
    let pause = Self.firstPause * (1 << (attempt - 1))
    _ = TimerService.shared.arm(at: .now() + pause, leeway: .zero) { [self] _ in
      interrupt(name, attempt: attempt + 1)
    }
  }
}
