import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// Interruption of calls that wait for a peer, a device or a server.
///
/// It knows the thread of each call that may be interrupted. It sends the signal under the lock, so
/// that the signal reaches no thread whose call has returned.
final class Interrupter: Sendable {
  /// The pause after the first signal; each further one is twice as long.
  private static let firstPause = Duration.milliseconds(1)
  /// The most signals for one cancellation.
  ///
  /// An interruptible call needs a second one only if the first arrived before the call started.
  private static let attemptLimit = 11

  private struct Call {
    let thread: Int32
    /// A number that distinguishes the call from later ones, also of a request at the same address.
    let number: Int
  }

  private struct State {
    var calls: [ObjectIdentifier: Call] = [:]
    var count = 0
  }

  private let state = BargingLock(State())

  /// Makes the call of a request, which `interrupt` can end with `EINTR`.
  ///
  /// - Returns: The result of `body`, which does not run if the request was cancelled before.
  func call<Result>(
    for request: Request,
    ifCancelled cancelled: Result,
    _ body: () -> Result
  ) -> Result {
    let name = ObjectIdentifier(request)
    state.withLock { state in
      state.count += 1
      state.calls[name] = Call(thread: PlatformThread.currentNumber, number: state.count)
    }
    defer { state.withLock { $0.calls[name] = nil } }
    // A later cancellation finds the thread.
    guard !request.isCancelled.load(ordering: .acquiring) else { return cancelled }
    return CallInterruption.allowing(body)
  }

  /// Interrupts the call of a cancelled request, if there is one.
  func interrupt(_ request: Request) {
    let name = ObjectIdentifier(request)
    guard let number = state.withLock({ $0.calls[name]?.number }) else { return }
    interrupt(name, number: number, attempt: 1)
  }

  private func interrupt(_ name: ObjectIdentifier, number: Int, attempt: Int) {
    let isCalling = state.withLock { state in
      guard let call = state.calls[name], call.number == number else { return false }
      CallInterruption.send(to: call.thread)
      return true
    }
    guard isCalling, attempt < Self.attemptLimit else { return }
    let pause = Self.firstPause * (1 << (attempt - 1))
    _ = TimerService.shared.arm(at: .now() + pause, leeway: .zero) { [self] _ in
      interrupt(name, number: number, attempt: attempt + 1)
    }
  }
}
