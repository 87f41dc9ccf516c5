import CIOChannelsTestSupport
import EventSources
import Glibc
import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Ends the program where something is not as it has to be.
func check(
  _ condition: @autoclosure () -> Bool,
  _ text: @autoclosure () -> String = "",
  _ line: Int = #line
) {
  if condition() { return }
  print("line \(line): \(text())")
  exit(1)
}

/// Signalled by each call of a source's handlers.
private let called = CountingSemaphore(value: 0)

/// Waits until a condition is met, at most 30 seconds.
///
/// It looks after each call of a source's handlers, and some times a second.
func reach(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while !condition() {
    if ContinuousClock.now > end { return false }
    _ = called.wait(timeout: .now() + .milliseconds(2))
  }
  return true
}

/// A signal source and the data of the calls of its handler.
final class Recorded: Sendable {
  private struct State {
    var calls: [UInt] = []
    var isRegistered = false
    var isCancelled = false
  }

  let source: SignalSource
  let queue = WorkQueue(label: "handlers")
  private let state = BargingLock(State())

  /// Creates and activates a source.
  init(_ signal: Int32) {
    source = EventSource.makeSignalSource(signal: signal, queue: queue)
    source.setEventHandler { [weak self] in
      guard let self else { return }
      let data = source.data
      note { $0.calls.append(data) }
    }
    source.setRegistrationHandler { [weak self] in self?.note { $0.isRegistered = true } }
    source.setCancelHandler { [weak self] in self?.note { $0.isCancelled = true } }
    source.activate()
    check(reach { self.state.withLock { $0.isRegistered } }, "no registration")
  }

  private func note(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    called.signal()
  }

  /// The data of the calls so far.
  var calls: [UInt] { state.withLock { $0.calls } }

  /// The number of signals so far.
  var total: UInt { calls.reduce(0, +) }

  /// Waits for a number of signals; more of them are a failure.
  func expect(_ count: UInt, _ line: Int = #line) {
    check(reach { total >= count } && total == count, "\(calls) are not \(count)", line)
    check(!calls.contains(0), "\(calls)", line)
  }

  /// Cancels the source and waits for its cancel handler.
  func cancel(_ line: Int = #line) {
    source.cancel()
    check(reach { self.state.withLock { $0.isCancelled } }, "not cancelled", line)
  }
}

/// Sends a signal to this process so many times.
func send(_ signal: Int32, _ count: Int32 = 1) { check(ct_send(signal, count) == 0) }

/// Queues a real-time signal to this process so many times.
func queue(_ signal: Int32, _ count: Int32, value: Int32 = 0) {
  check(ct_queue(signal, count, value) == 0)
}

/// What happens when a signal arrives.
enum Disposition: Int32 {
  case defaultAction, ignored, plain, informed, chained, other

  /// The disposition of a signal.
  init(of signal: Int32) { self = Disposition(rawValue: ct_disposition(signal)) ?? .other }

  /// Sets the disposition of a signal.
  func set(_ signal: Int32, restarts: Bool = true, stopsAreSilent: Bool = false) {
    check(ct_set_disposition(signal, rawValue, restarts ? 1 : 0, stopsAreSilent ? 1 : 0) == 0)
  }
}

/// A real-time signal, of which the kernel queues each one.
let queued: Int32 = 40
