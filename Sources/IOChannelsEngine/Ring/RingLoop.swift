import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem

/// The loop of the ring's thread, which carries out the decisions of the scheduler.
///
/// It is `@unchecked Sendable` because it is passed to the one thread that uses it.
final class RingLoop: @unchecked Sendable {
  private let ring: Ring
  private let threads: ThreadBackend
  private let statistics: Statistics
  private let refuses: (@Sendable () -> SystemError?)?

  private var scheduler = RequestScheduler(limits: RingLoop.limits)
  /// The actions that the scheduler decided.
  private var actions: [RequestScheduler.Action] = []
  /// The number of actions that were moved out of the list, whose places are still in it.
  private var doneCount = 0
  /// The number of prepared entries that are not submitted yet.
  private var preparedCount = 0
  private var isWakeupArmed = false
  /// The number of pending reads of the alarm.
  private var alarmReadCount = 0
  private var refusals = RefusalPauses()
  /// The time of the scheduler's last check for devices that do not respond.
  private var lastLook: Int64 = 0
  private var isStopping = false
  /// The finished requests that the pool has to release, because this thread must not.
  private var pendingReleases: [Request] = []

  private static let wakeupToken = UInt64.max
  private static let cancellationToken = UInt64.max - 1
  private static let alarmToken = UInt64.max - 2
  /// Completions of the wakeup, of the alarm and of a cancellation need room as well.
  private static let limits = RequestScheduler.Limits(
    requests: Int(Ring.completionEntries) - 2 - PatientSleep.alarmReads,
    pollable: Int(Ring.completionEntries) / 2,
    perDevice: 128,
    workersPerDevice: RingSet.workerLimit / 4
  )
  /// The number of prepared entries at which they are submitted before another direct transfer.
  ///
  /// The kernel starts the device only after it has processed all entries of a submission, and the
  /// device would be idle meanwhile.
  private static let directBatch = 4
  /// Creates a loop for a ring.
  ///
  /// `refuses` is called before each system call of the ring, so that tests can make it fail.
  init(
    ring: consuming Ring,
    threads: ThreadBackend,
    statistics: Statistics,
    refuses: (@Sendable () -> SystemError?)?
  ) {
    self.ring = ring
    self.threads = threads
    self.statistics = statistics
    self.refuses = refuses
  }

  /// Serves the backend until it is stopped and all requests have ended.
  func run(for backend: RingBackend) {
    backend.begin()
    do throws(SystemError) {
      try ring.enable(workers: UInt32(RingSet.workerLimit))
      while !(isStopping && scheduler.isEmpty) { try runOnce(for: backend) }
      try endWakeup(backend)
    } catch {
      serveAbandoned(backend)
    }
  }

  private func runOnce(for backend: RingBackend) throws(SystemError) {
    receive(from: backend)
    try armWakeup(backend)
    let now = KernelClock.uptime.nanoseconds
    look(at: now)
    scheduler.start(at: now, &actions)
    try perform()
    if isStopping, scheduler.isEmpty { return }
    let shared = ring.hasPatience ? scheduler.sharedEnds : nil
    if shared != nil { try armAlarm(backend) }
    try backend.asleep(besides: shared?.device ?? 0) { isIdle throws(SystemError) in
      // Completions that were read earlier, when the kernel refused entries, may include the
      // wakeup.
      let waits = isIdle && isWakeupArmed && !scheduler.canStart
      try enter(answers: waits ? shared?.count ?? 1 : 0)
    }
    collect()
    try perform()
  }

  private func receive(from backend: RingBackend) {
    while let message = backend.nextMessage() {
      switch consume message {
      case .submit(let request): scheduler.submit(request)
      case .cancel(let request):
        scheduler.cancel(request, &actions)
        releaseLater(request)
      case .stop: isStopping = true
      case .report(let inquiry): inquiry.answer(report(stuckBefore: inquiry.start))
      }
    }
  }

  private func look(at now: Int64) {
    guard now - lastLook >= RequestScheduler.slowAge, scheduler.needsLook else { return }
    lastLook = now
    scheduler.look(at: now, &actions)
  }

  private func report(stuckBefore start: Int64) -> RequestReport {
    let now = KernelClock.uptime.nanoseconds
    var report = RequestReport()
    report.inFlightCount = scheduler.inFlightCount
    report.waitingCount = scheduler.waitingCount
    report.stuck = scheduler.started(before: start)
      .filter { !$0.request.waitsForPeer }
      .map { .init($0.request, age: .nanoseconds(now - $0.start)) }
    return report
  }

  /// Waits for the reads of the wakeup and of the alarm, the last requests in the kernel.
  private func endWakeup(_ backend: RingBackend) throws(SystemError) {
    backend.wakeSelf()
    while isWakeupArmed || alarmReadCount > 0 {
      try enter(answers: 1)
      collect()
    }
  }

  /// Abandons the ring and serves without it.
  ///
  /// The thread stays as long as the kernel may use its memory, because the end of the thread would
  /// wait for the requests.
  private func serveAbandoned(_ backend: RingBackend) {
    let lost = abandon()
    while lost > 0 || !isStopping {
      while let message = backend.nextMessage() {
        if case .stop = message { isStopping = true }
        backend.forward(message)
      }
      if lost > 0 || !isStopping { backend.waitForMessage() }
    }
  }

  private func armWakeup(_ backend: RingBackend) throws(SystemError) {
    if isWakeupArmed { return }
    let descriptor = backend.wakeupDescriptor
    try prepare { ring.prepareWakeup(from: descriptor, token: Self.wakeupToken) }
    isWakeupArmed = true
  }

  private func armAlarm(_ backend: RingBackend) throws(SystemError) {
    let descriptor = backend.alarmDescriptor
    while alarmReadCount < PatientSleep.alarmReads {
      try prepare { ring.prepareWakeup(from: descriptor, token: Self.alarmToken) }
      alarmReadCount += 1
    }
  }

  /// Carries out the actions of the scheduler, including those that are added meanwhile.
  ///
  /// Owners submit further requests from here. These are messages like any other, so the stack does
  /// not grow.
  private func perform() throws(SystemError) {
    while let action = nextAction() { try perform(action) }
    actions.removeAll(keepingCapacity: true)
    doneCount = 0
    submitReleases()
  }

  private func perform(_ action: consuming RequestScheduler.Action) throws(SystemError) {
    switch consume action {
    case .start(let request, let slot):
      if request.traits.isDirect, preparedCount >= Self.directBatch { try enter(answers: 0) }
      try prepare { ring.prepare(request, token: slot.token) }
    case .awaitReadiness(let request, let slot):
      try prepare { ring.preparePoll(for: request, token: slot.token) }
    case .cancel(let slot):
      try prepare { ring.prepareCancellation(of: slot.token, token: Self.cancellationToken) }
    case .end(let request, let answer): complete(request, answer)
    case .noteRetry(let request, let answer):
      request.observer?.retried(RequestSummary(request), after: SystemError(rawValue: -answer))
    case .reroute(let request): reroute(request)
    case .cancelRerouted(let request): threads.cancel(request)
    case .taken: break
    }
  }

  /// Moves the next action out of the list, since a copy would retain its request.
  private func nextAction() -> RequestScheduler.Action? {
    guard doneCount < actions.count else { return nil }
    var action = RequestScheduler.Action.taken
    swap(&action, &actions[doneCount])
    doneCount += 1
    return action
  }

  /// Leaves the release of a finished request to the pool, if it may run code of users.
  private func releaseLater(_ request: Request) {
    if request.kind == .write, case .write(let data) = request.operation, data.hasCustomMemory {
      pendingReleases.append(request)
    }
  }

  /// Submits the release of requests whose bytes are freed by code of users.
  private func submitReleases() {
    if pendingReleases.isEmpty { return }
    let job = ReleaseJob(pendingReleases)
    pendingReleases = []
    threads.pool.submit(job)
  }

  /// Prepares one entry, and submits earlier ones first if there is no room.
  private func prepare(_ entry: () -> Bool) throws(SystemError) {
    while !entry() { try enter(answers: 0) }
    preparedCount += 1
  }

  /// Makes one system call that submits entries, runs completion work and waits for completions.
  private func enter(answers: Int) throws(SystemError) {
    do throws(SystemError) {
      if let refusal = refuses?() { throw refusal }
      try ring.submit(
        answers: answers,
        idle: scheduler.inFlightCount == 0,
        limit: scheduler.needsLook ? .nanoseconds(RequestScheduler.slowAge) : nil
      )
      preparedCount = 0
      refusals.end()
    } catch {
      switch error {
      case .interrupted, .timerExpired:
        return
      case .resourceTemporarilyUnavailable, .resourceBusy:
        // The kernel has no memory for requests now, or has completions that must be read first.
        if collect() { return }
        guard let pause = refusals.next() else { throw error }
        try self.pause(atMost: pause)
      default:
        throw error
      }
    }
  }

  /// Waits for a completion, or until the kernel may have the missing memory.
  private func pause(atMost limit: Duration) throws(SystemError) {
    do {
      try ring.wait(limit: limit)
    } catch {
      switch error {
      case .interrupted, .timerExpired, .resourceTemporarilyUnavailable, .resourceBusy: break
      default: throw error
      }
    }
    collect()
  }

  /// Reads all completions; `perform` carries out the resulting actions.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  private func collect() -> Bool {
    var isAnswered = false
    while let completion = ring.takeCompletion() {
      isAnswered = true
      switch completion.token {
      case Self.wakeupToken: isWakeupArmed = false
      case Self.alarmToken: alarmReadCount -= 1
      case Self.cancellationToken: break
      default:
        let slot = SlotID(token: completion.token)
        let isKnown = scheduler.answered(slot, completion.result, &actions)
        if !isKnown { statistics.countStale(completion.result) }
      }
    }
    if isAnswered { refusals.end() }
    return isAnswered
  }

  private func reroute(_ request: Request) {
    releaseLater(request)
    request.observer?.rerouted(RequestSummary(request))
    threads.submit(request)
  }

  private func complete(_ request: Request, _ answer: Int32) {
    releaseLater(request)
    if answer < 0 {
      request.end(.failure(SystemError(rawValue: -answer)))
      return
    }
    statistics.countRing(request.kind, answer: Int(answer))
    request.end(.success(Int(answer)))
  }

  /// Abandons the ring, which can no longer be entered.
  ///
  /// The kernel may continue to write into the memory of requests in flight, so these are never
  /// freed.
  ///
  /// - Returns: The number of requests in flight.
  private func abandon() -> Int {
    let lost = scheduler.abandon(&actions)
    lost.forEach(AbandonedRequests.keep)
    while let action = nextAction() {
      switch action {
      // Requests that were not submitted yet are among the abandoned ones.
      case .start, .awaitReadiness, .cancel, .noteRetry, .taken: break
      case .end(let request, let answer): complete(request, answer)
      case .reroute(let request): reroute(request)
      case .cancelRerouted(let request): threads.cancel(request)
      }
    }
    actions = []
    doneCount = 0
    submitReleases()
    return lost.count
  }
}

/// A job that releases requests on a thread of the pool.
///
/// It is `@unchecked Sendable` because only its one run changes it after its creation.
private final class ReleaseJob: PoolJob, @unchecked Sendable {
  private var requests: [Request]

  init(_ requests: [Request]) {
    self.requests = requests
  }

  func run() {
    requests = []
  }
}
