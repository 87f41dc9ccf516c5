internal import Synchronization

/// The kernel's list of descriptors that a readiness list waits for.
///
/// Members other than `next` are called one at a time.
protocol ReadinessPoll: AnyObject, Sendable {
  /// Waits for one event of a descriptor.
  ///
  /// - Throws: `EPERM` for a file that is always ready, `EEXIST` if the descriptor is in the list,
  ///   `ENOSPC` and others where the system has no room.
  func add(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError)

  /// Waits for one more event of a descriptor.
  ///
  /// - Throws: `ENOENT` or `EBADF` if the program has closed it.
  func rearm(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError)

  /// Reports the present state of a descriptor, and then each change of it.
  ///
  /// - Throws: `ENOENT` or `EBADF` if the program has closed it.
  func awaitChanges(
    _ descriptor: Int32,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError)

  func remove(_ descriptor: Int32)

  func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32

  func close(_ descriptor: Int32)

  /// Lets `next` return `.idle` in some seconds.
  func scheduleIdleCheck()

  /// Waits for the next event.
  func next() throws(SystemError) -> ReadinessPollEvent
}

/// An event for which a readiness list's thread wakes.
enum ReadinessPollEvent: Equatable, Sendable {
  case ready(token: UInt64, states: ReadinessEvents)
  /// Some seconds have passed since the last descriptor was removed.
  case idle
}

/// The list of `epoll`, with a timer for its idle checks.
final class KernelReadinessPoll: ReadinessPoll {
  private let queue: ReadinessQueue
  private let timer: TimerDescriptor
  /// The token of the timer: no registration has it, for slots are counted from 0.
  private static let timerToken = UInt64.max
  private static let idleNanoseconds: Int64 = 5_000_000_000
  /// The longest sleep between two events of a burst.
  private static let burstNanoseconds: Int64 = 30_000
  /// The number of looks before a sleep, of 0.2 µs each.
  private static let looksInBurst = 50
  /// Whether the last sleep was short; only the list's thread uses it.
  private let isBurst = Atomic<Bool>(false)

  init() throws(SystemError) {
    queue = try ReadinessQueue()
    timer = try TimerDescriptor(on: .uptime)
    try queue.add(timer.borrowed, forReading: true, token: Self.timerToken)
  }

  func add(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError) {
    try queue.add(BorrowedDescriptor(rawValue: descriptor), for: events, token: token)
  }

  func rearm(_ descriptor: Int32, for events: ReadinessEvents, token: UInt64) throws(SystemError) {
    try queue.rearm(BorrowedDescriptor(rawValue: descriptor), for: events, token: token)
  }

  func awaitChanges(
    _ descriptor: Int32,
    for events: ReadinessEvents,
    token: UInt64
  ) throws(SystemError) {
    try queue.awaitChanges(BorrowedDescriptor(rawValue: descriptor), for: events, token: token)
  }

  func remove(_ descriptor: Int32) {
    queue.remove(BorrowedDescriptor(rawValue: descriptor))
  }

  func duplicate(_ descriptor: Int32) throws(SystemError) -> Int32 {
    try BorrowedDescriptor(rawValue: descriptor).duplicateForWaiting().release()
  }

  func close(_ descriptor: Int32) {
    _ = OwnedDescriptor(owning: descriptor)
  }

  func scheduleIdleCheck() {
    timer.set(KernelClock.uptime.nanoseconds + Self.idleNanoseconds)
  }

  func next() throws(SystemError) -> ReadinessPollEvent {
    let event: ReadinessQueue.Event
    if let found = try nextOfBurst() { event = found } else { event = try nextAfterSleep() }
    if event.token != Self.timerToken {
      return .ready(token: event.token, states: event.states)
    }
    // The timer stays readable until it is set again.
    timer.set(nil)
    return .idle
  }

  // MARK: - Bursts

  /// Looks for the next event for some microseconds where the last one came soon.
  ///
  /// To put a thread to sleep and wake it takes longer than that (`B21.echo`).
  private func nextOfBurst() throws(SystemError) -> ReadinessQueue.Event? {
    guard isBurst.load(ordering: .relaxed) else { return nil }
    for _ in 0..<Self.looksInBurst {
      if let event = try queue.next(within: 0) { return event }
    }
    return nil
  }

  private func nextAfterSleep() throws(SystemError) -> ReadinessQueue.Event {
    let start = KernelClock.uptime.nanoseconds
    let event = try queue.next()
    let pause = KernelClock.uptime.nanoseconds - start
    isBurst.store(pause < Self.burstNanoseconds, ordering: .relaxed)
    return event
  }
}
