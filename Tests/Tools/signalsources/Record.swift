import CTestSupport
import EventSources
import Glibc
import QueueRuntime
import SystemCalls

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

/// Waits until a condition is met, at most 30 seconds.
func reach(_ condition: () -> Bool) -> Bool {
  for _ in 0..<30_000 {
    if condition() { return true }
    usleep(1000)
  }
  return condition()
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
    source.setEventHandler { [unowned self] in
      let data = source.data
      state.withLock { $0.calls.append(data) }
    }
    source.setRegistrationHandler { [unowned self] in state.withLock { $0.isRegistered = true } }
    source.setCancelHandler { [unowned self] in state.withLock { $0.isCancelled = true } }
    source.activate()
    check(reach { self.state.withLock { $0.isRegistered } }, "no registration")
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
