import DataRegions
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

/// Drives the scheduler as the ring's thread does, a turn at a time, and stands for the threads.
///
/// `@unchecked Sendable` because all of a run is on one thread.
final class SimulatedBackend: Backend, @unchecked Sendable {
  private enum Message {
    case submit(Request)
    case cancel(Request)
  }

  let kernel: SimulatedKernel
  let log: RequestLog
  let report: Report
  /// What other threads do while one looks into memory for a channel, which they may stop if the
  /// look was granted.
  var othersGoOn: (ChannelRecord, _ isGranted: Bool) -> Void = { _, _ in }
  /// For what is decided inside of a call.
  private let random: StepGenerator
  private var scheduler: RequestScheduler
  private var inbox: [Message] = []
  private var actions: [RequestScheduler.Action] = []
  /// Requests on the simulated threads.
  private var threads: [Request] = []
  /// What the kernel may use for ever.
  private var lost: [Request] = []
  private(set) var isBroken = false
  private var canStart = false

  init(kernel: SimulatedKernel, log: RequestLog, report: Report, random: StepGenerator) {
    self.random = random
    self.kernel = kernel
    self.log = log
    self.report = report
    scheduler = RequestScheduler(limits: kernel.profile.limits)
  }

  func submit(_ request: Request) {
    // What moves no bytes is for threads in any case.
    if request.isAboutFile { return threads.append(request) }
    log.submitted(request)
    inbox.append(.submit(request))
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    inbox.append(.cancel(request))
  }

  func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64,
    for owner: (any RequestOwner)?
  ) throws(SystemError) -> Int {
    let count = output.freeCapacity
    let look = log.looks(descriptor, at: offset, count: count, for: owner)
    guard let (channel, operation) = look else { throw .badFileDescriptor }
    operation.looks(report)
    let found = kernel.look(into: channel.file, at: offset, count: count, random)
    let bytes = (try? found.get()) ?? []
    // None are the end of the file.
    let isFound = (try? found.get()) != nil && (bytes.count == count || bytes.isEmpty)
    // An operation that its channel has numbered remains one of its operations.
    if owner == nil, isFound { channel.isAtOnce(operation, report) }
    if owner != nil || isFound { othersGoOn(channel, owner != nil) }
    if isFound {
      report.count(owner == nil ? .readAtOnce : .readWhenGranted)
    } else if owner != nil {
      report.count(.missedWhenGranted)
    }
    operation.lookEnded(isFound ? bytes : nil, report)
    DataBuffer(try found.get()).copyBytes(appendingTo: &output)
    return bytes.count
  }

  func writeAtOnce(_ request: Request) -> TransferResult? {
    if random.chance(percent: 50) { return nil }
    log.submitted(request)
    guard let file = log.file(of: request) else { return nil }
    // The request is not submitted, so an error is told only here.
    let outcome = kernel.outcome(of: request, byThread: true, of: file, random)
    let (answer, _) = kernel.carryOut(request, outcome, on: file)
    log.ended(request, result(answer))
    report.count(.wroteAtOnce)
    return result(answer)
  }

  /// Reads nothing: the real pipe behind a descriptor has other bytes than the simulated one.
  func readAtOnce(_ request: Request, limit: Int) -> TransferResult? { nil }

  /// Whether a turn would do something, as far as `check` has seen.
  var canTurn: Bool { !inbox.isEmpty || canStart }
  var hasThreadWork: Bool { !threads.isEmpty }
  var isIdle: Bool {
    inbox.isEmpty && threads.isEmpty && kernel.inFlightCount == 0 && scheduler.waitingCount == 0
  }

  /// Lets go of what was lost with the ring, at the end of the run, where a process would not.
  func forgetLost() {
    lost = []
  }

  /// What must hold between two steps.
  func check() {
    canStart = scheduler.canStart
    report.expect(
      scheduler.inFlightCount == kernel.inFlightCount,
      "I14: the scheduler and the kernel differ in what is in flight"
    )
    report.expect(actions.isEmpty, "I14: a decision of the scheduler was not carried out")
  }
}

// MARK: - Steps

extension SimulatedBackend {
  /// Takes messages, not always all, and starts what may start.
  func turn(_ random: StepGenerator) {
    let all = inbox.count
    let count = random.chance(percent: 70) ? all : random.number(in: 0...all)
    for message in inbox.prefix(count) { receive(message) }
    inbox.removeFirst(count)
    if isBroken { return }
    let waiting = scheduler.waitingCount
    scheduler.start(at: kernel.now, &actions)
    if waiting > 0, scheduler.inFlightCount == kernel.profile.limits.requests {
      report.count(.waitedForSlot)
    } else if scheduler.waitingCount > 0 {
      report.count(.waitedForDevice)
    }
    if kernel.isFaulty, kernel.profile.faults.contains(.brokenRing), random.chance(percent: 4) {
      return breakRing(random)
    }
    perform(random)
  }

  private func receive(_ message: Message) {
    switch message {
    case .submit(let request) where isBroken: threads.append(request)
    case .cancel where isBroken: report.count(.cancelledRerouted)
    case .submit(let request): scheduler.submit(request)
    case .cancel(let request):
      let isLive = log.cancellationArrived(request)
      let before = actions.count
      scheduler.cancel(request, &actions)
      if isLive, actions.count == before { report.count(.cancelledWaiting) }
    }
  }

  /// Lets time pass, and looks which requests have been under way for long.
  func tick(_ random: StepGenerator) {
    kernel.tick()
    if scheduler.needsLook {
      let age = RequestScheduler.slowAge - Int64(kernel.profile.latency)
      scheduler.look(at: kernel.now + age, &actions)
      perform(random)
    }
    let time = kernel.now - Int64(kernel.profile.latency / 2)
    report.expect(
      scheduler.started(before: time).count == kernel.inFlightCount(since: time),
      "F16: the scheduler does not know what has been in flight for long"
    )
  }

  /// Gives up the ring as its thread does when the kernel no longer takes anything.
  private func breakRing(_ random: StepGenerator) {
    isBroken = true
    lost = scheduler.abandon(&actions)
    let inKernel = kernel.loseEverything()
    report.expect(
      inKernel.allSatisfy { request in lost.contains { $0 === request } },
      "I3: a request of the kernel was forgotten with the ring"
    )
    actions.removeAll {
      switch $0 {
      case .start, .awaitReadiness, .cancel: true
      default: false
      }
    }
    if !lost.isEmpty { report.count(.abandonedInFlight) }
    if actions.count > lost.count { report.count(.abandonedWaiting) }
    perform(random)
  }

  /// Ends a request whose time has come, with what the kernel made of it.
  func complete(_ random: StepGenerator) {
    guard let flight = kernel.takeDue(random), let file = log.file(of: flight.request) else {
      return
    }
    let states: ReadinessEvents = flight.request.direction == .read ? .readable : .writable
    var answer = Int32(states.rawValue)
    var bytes: ArraySlice<UInt8> = []
    if !flight.isPoll {
      (answer, bytes) = kernel.carryOut(flight.request, flight.outcome, on: file)
    } else if case .fails(let error) = flight.outcome {
      answer = -error.rawValue
    }
    log.transferred(flight.request, bytes)
    bytes = []
    let isKnown = scheduler.answered(flight.slot, answer, &actions)
    report.expect(isKnown, "I14: an answer was passed over")
    countDecision(isPoll: flight.isPoll, answer: answer)
    perform(random)
    if kernel.isFaulty, kernel.profile.faults.contains(.stale) { answerAgain(random) }
  }

  private func countDecision(isPoll: Bool, answer: Int32) {
    switch actions.last {
    case .end: report.count(.answerEnded)
    case .reroute: report.count(.answerRerouted)
    default:
      let waits = answer == -SystemError.resourceTemporarilyUnavailable.rawValue
      report.count(
        isPoll && answer > 0
          ? .readinessCame : waits ? .answerAwaitsReadiness : .answerRepeated
      )
    }
  }

  /// Gives an old answer once more, whatever its slot is used for by now.
  private func answerAgain(_ random: StepGenerator) {
    guard random.chance(percent: 20), !kernel.answered.isEmpty else { return }
    report.count(.staleAnswer)
    let slot = random.element(of: kernel.answered)
    let isTaken = scheduler.answered(slot, 1, &actions)
    report.expect(!isTaken, "I14: a stale answer was taken for another request's")
    perform(random)
  }

  /// Makes the call of a request that has left the ring.
  func runThread(_ random: StepGenerator) {
    guard !threads.isEmpty else { return }
    let request = threads.remove(at: random.number(below: threads.count))
    if request.isAboutFile { return changeFile(of: request) }
    if request.isCancelled.load(ordering: .acquiring) {
      return end(request, request.whole(.failure(.canceled)))
    }
    guard let file = log.file(of: request) else { return }
    report.count(.threadTransfer)
    while true {
      request.cut(at: kernel.profile.limits.piece)
      let outcome = kernel.outcome(of: request, byThread: true, of: file, random)
      let (answer, bytes) = kernel.carryOut(request, outcome, on: file)
      log.transferred(request, bytes)
      if answer > 0, request.continues(after: Int(answer)) { continue }
      return end(request, request.whole(result(answer)))
    }
  }

  /// Carries out what the scheduler decided, also meanwhile.
  private func perform(_ random: StepGenerator) {
    var index = 0
    while index < actions.count {
      switch actions[index] {
      case .start(let request, let slot): start(request, slot, isPoll: false, random)
      case .awaitReadiness(let request, let slot): start(request, slot, isPoll: true, random)
      case .cancel(let slot): kernel.cancel(slot, random)
      case .end(let request, let answer): end(request, result(answer))
      case .reroute(let request):
        if request.traits.kind == .pollable { report.count(.reroutedForPeers) }
        threads.append(request)
      case .cancelRerouted: report.count(.cancelledRerouted)
      case .taken: break
      case .noteRetry: break
      }
      index += 1
    }
    actions.removeAll(keepingCapacity: true)
  }

  private func start(
    _ request: Request,
    _ slot: SlotID,
    isPoll: Bool,
    _ random: StepGenerator
  ) {
    report.expect(
      !log.isCancelled(request),
      "I9: a request was handed to the kernel after it was cancelled"
    )
    guard let file = log.file(of: request) else { return }
    kernel.start(request, slot, isPoll: isPoll, from: file, random)
  }

  private func result(_ answer: Int32) -> TransferResult {
    answer < 0 ? .failure(SystemError(rawValue: -answer)) : .success(Int(answer))
  }

  private func end(_ request: Request, _ result: TransferResult) {
    report.expect(
      !kernel.has(request),
      "I3: an owner was told of the end of a request that the kernel had"
    )
    log.ended(request, result)
    request.end(result)
  }
}
