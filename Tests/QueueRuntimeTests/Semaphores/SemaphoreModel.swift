import IOChannelsLocks

@testable import QueueRuntime

/// What a thread of the model does with the semaphore, once.
enum SemaphoreCall: Hashable {
  case signal, wait
  /// Waits until its time is up, which may be at any moment.
  case timedWait
}

/// A way to get giving up wrong; the model has to find each.
enum SemaphoreMutant: CaseIterable, Hashable, Sendable {
  /// Gives up although the permit of this thread is on its way.
  case ignoresThePermitOnItsWay
  /// Leaves the number as it is.
  case staysCounted
  /// Leaves the waiters without the number.
  case staysInLine
  /// Believes that nobody in waiters has got nothing.
  case losesItsPermit
  /// Keeps no permit for somebody who is about to come.
  case dropsTheEarlyPermit
}

/// Threads that share a semaphore; each step is one atomic operation or one use of the lock.
///
/// The word and the waiters are the real ones; only their sequence repeats `CountingSemaphore`.
struct SemaphoreModel: SteppedModel {
  private enum Place: Hashable {
    case start, count, waiters, gate, cancelWait, lastWait, give
    case open(Int)
    case success, timedOut, signalled
  }

  private let calls: [SemaphoreCall]
  private let initialValue: Int
  private let mutant: SemaphoreMutant?
  private var places: [Place]
  private var isUp: [Bool]
  private var isOpen: [Bool]
  private var word: SemaphoreWord
  private var waiters = SemaphoreWaiters<Int>()
  private(set) var fault: String?

  init(_ calls: [SemaphoreCall], value: Int = 0, mutant: SemaphoreMutant? = nil) {
    self.calls = calls
    word = SemaphoreWord(value: value)
    self.mutant = mutant
    initialValue = value
    places = calls.map { $0 == .timedWait ? .start : .count }
    isUp = calls.map { _ in false }
    isOpen = calls.map { _ in false }
  }

  /// Behind the threads come their clocks.
  var threadCount: Int { 2 * calls.count }

  mutating func step(_ thread: Int) -> Bool {
    if thread >= calls.count { return endTime(of: thread - calls.count) }
    let before = places[thread]
    switch before {
    case .success, .timedOut, .signalled:
      return false
    case .start:
      let next = word.takenIfAny
      places[thread] = next != nil ? .success : isUp[thread] ? .timedOut : .count
      word = next ?? word
    case .count:
      count(thread)
    case .waiters:
      places[thread] = waiters.acquirePermit(orAdd: thread) ? .success : .gate
    case .gate:
      if !isOpen[thread] && !isUp[thread] { return false }
      places[thread] = isOpen[thread] ? .success : .cancelWait
    case .cancelWait:
      places[thread] = cancelWait(thread) ? .timedOut : .lastWait
    case .lastWait:
      if !isOpen[thread] && mutant != .losesItsPermit { return false }
      places[thread] = isOpen[thread] ? .success : .timedOut
    case .give:
      grantPermit(thread)
    case .open(let other):
      isOpen[other] = true
      places[thread] = .signalled
    }
    return true
  }

  private mutating func endTime(of thread: Int) -> Bool {
    guard calls[thread] == .timedWait, !isUp[thread] else { return false }
    isUp[thread] = true
    return true
  }

  private mutating func count(_ thread: Int) {
    if calls[thread] == .signal {
      let (next, hasTaker) = word.given
      word = next
      places[thread] = hasTaker ? .give : .signalled
    } else {
      let (next, mustWait) = word.taken
      word = next
      places[thread] = mustWait ? .waiters : .success
    }
  }

  private mutating func grantPermit(_ thread: Int) {
    if mutant == .dropsTheEarlyPermit && waiters.waiting.isEmpty {
      places[thread] = .signalled
    } else if let other = waiters.grantPermit() {
      places[thread] = .open(other)
    } else {
      places[thread] = .signalled
    }
  }

  /// What happens under the lock: the number may change at the same time, but only upwards past 0
  /// by permits for those in waiters, which leaves one order of both steps.
  private mutating func cancelWait(_ thread: Int) -> Bool {
    guard waiters.contains(where: { $0 == thread }) else { return false }
    let next = mutant == .ignoresThePermitOnItsWay ? word.given.next : word.waitCancelled
    guard let next else { return false }
    if mutant != .staysCounted { word = next }
    if mutant != .staysInLine { waiters.remove { $0 == thread } }
    return true
  }

  var faultAtEnd: String? {
    let taken = places.count { $0 == .success }
    let given = calls.count { $0 == .signal }
    let value = word.value
    if value >= 0 && waiters.permits > 0 { return "A permit lies in an empty waiters." }
    if initialValue + given - taken != max(0, value) { return "Permits got lost or doubled." }
    let waiting = places.count { $0 == .gate || $0 == .lastWait }
    if waiting != max(0, -value) { return "The number is not that of those who wait." }
    if waiting != waiters.waiting.count { return "Somebody waits outside of the waiters." }
    return nil
  }
}

extension SemaphoreWaiters: Equatable, Hashable where Waiter: Hashable {
  private var order: [Waiter] {
    var rest = waiting
    var order: [Waiter] = []
    while let waiter = rest.popFirst() { order.append(waiter) }
    return order
  }

  static func == (left: SemaphoreWaiters, right: SemaphoreWaiters) -> Bool {
    left.permits == right.permits && left.order == right.order
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(permits)
    hasher.combine(order)
  }
}
