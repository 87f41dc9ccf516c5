internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// The clocks, and alarms that wake a sleeping thread at a point of one of them.
protocol TimerAlarm: AnyObject, Sendable {
  func now(on clock: KernelClock) -> PointInTime

  /// Sets the alarm of a clock. Any thread may call it, one at a time, also while `sleep` waits.
  ///
  /// An alarm that has gone off stays on until it is set again.
  ///
  /// - Returns: False when the system has no means for it; `sleep` then ends soon.
  func set(_ clock: KernelClock, to time: PointInTime) -> Bool

  /// Waits for an alarm, or at most for some seconds if there may be none.
  ///
  /// - Returns: The clock whose alarm is on, nil when the thread should check for itself.
  func sleep(isIdle: Bool) -> KernelClock?
}

/// The alarms of the kernel, which go off on time even when clocks are set or the machine sleeps.
///
/// They use four descriptors, from the first timer on. Without them `sleep` ends every 100 ms.
final class KernelAlarm: TimerAlarm {
  private final class Descriptors: Sendable {
    let list: ReadinessQueue
    let uptime: TimerDescriptor
    let bootTime: TimerDescriptor
    let wall: TimerDescriptor

    init() throws(SystemError) {
      list = try ReadinessQueue()
      uptime = try TimerDescriptor(on: .uptime)
      bootTime = try TimerDescriptor(on: .bootTime)
      wall = try TimerDescriptor(on: .wall)
      try add(uptime.borrowed, .uptime)
      try add(bootTime.borrowed, .bootTime)
      try add(wall.borrowed, .wall)
    }

    private func add(_ descriptor: BorrowedDescriptor, _ clock: KernelClock) throws(SystemError) {
      try list.add(descriptor, forReading: true, token: UInt64(clock.rawValue))
    }

    func set(_ clock: KernelClock, to nanoseconds: Int64?) {
      switch clock {
      case .uptime: uptime.set(nanoseconds)
      case .bootTime: bootTime.set(nanoseconds)
      case .wall: wall.set(nanoseconds)
      }
    }
  }

  private let descriptors = SetOnceReference<Descriptors>()
  /// A word that never changes, to wait on while there are no descriptors.
  private let word = Atomic<UInt32>(0)

  func now(on clock: KernelClock) -> PointInTime {
    PointInTime(nanoseconds: clock.nanoseconds)
  }

  func set(_ clock: KernelClock, to time: PointInTime) -> Bool {
    guard let descriptors = descriptors.load() ?? open() else { return false }
    descriptors.set(clock, to: time.isNever ? nil : time.nanoseconds)
    return true
  }

  func sleep(isIdle: Bool) -> KernelClock? {
    do throws(SystemError) {
      if let descriptors = descriptors.load() {
        let event = try descriptors.list.next(within: isIdle ? 5_000 : -1)
        return event.flatMap { KernelClock(rawValue: Int($0.token)) }
      }
    } catch {
      // The program closed a descriptor of this object: timers continue without descriptors.
    }
    word.park(while: 0, nanoseconds: 100_000_000)
    return nil
  }

  private func open() -> Descriptors? {
    (try? Descriptors()).map { descriptors.storeIfNil($0) }
  }
}
