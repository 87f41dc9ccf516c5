import IOChannelsTestSupport
import Testing

@testable import EventSources

/// A source's state, driven by hand: its queue, the kernel and the program.
private struct ModelSource: Equatable {
  enum Step: CaseIterable {
    case activate, note, cancel, drop, suspend, resume, setHandler, removeHandler
    case completeRegistration, completeRelease, begin, finish
  }

  let hasFinalizer: Bool
  private var state = SourceState(.sum)
  private var submissions = 0
  private var running: SourceState.Step?
  private var isRegistering = false
  private var isReleasing = false
  private var isDropped = false
  private var hasHandler = true
  /// Whether the kernel was asked for the next event since the last one.
  private var isAsked = false
  private var noted: UInt = 0
  private var delivered: UInt = 0
  private var cancelHandlers = 0
  private var disposals = 0
  private var registrationHandlers = 0
  private(set) var faults: [String] = []

  init(_ hasFinalizer: Bool) { self.hasFinalizer = hasFinalizer }

  mutating func take(_ step: Step) {
    switch step {
    case .activate where !isDropped: perform(state.activate())
    case .note where !isDropped:
      if !state.isCancelled { noted += 1 }
      perform(state.noted(1))
    case .cancel where !isDropped: perform(state.cancel())
    case .suspend where !isDropped: state.suspend()
    case .resume where !isDropped && (state.isSuspended || !state.isActive):
      perform(state.resume())
    case .drop where !isDropped && state.isActive && !state.isSuspended:
      isDropped = true
      perform(state.abandon(hasFinalizer: hasFinalizer))
    case .setHandler where !isDropped:
      hasHandler = true
      perform(state.eventHandlerChanged())
    case .removeHandler where !isDropped: hasHandler = false
    case .completeRegistration where isRegistering:
      isRegistering = false
      isAsked = true
      perform(state.registered(nil, hasHandler: true))
    case .completeRelease where isReleasing:
      isReleasing = false
      perform(state.released())
    case .begin where running == nil && submissions > 0: begin()
    case .finish:
      guard let step = running.take() else { return }
      if step.isEvent {
        let asks = state.finishEvent(hasHandler: hasHandler)
        expect(!asks || !state.isCancelled, "a cancelled source asks for nothing")
        isAsked = isAsked || asks
      }
      perform(state.finishStep())
    default: break
    }
  }

  /// Completes everything that is under way and checks the result.
  mutating func settle() {
    // A script has fewer suspensions than that.
    for _ in 0..<100 where state.isSuspended { take(.resume) }
    expect(!state.isSuspended, "as many resumptions as suspensions resume")
    take(.setHandler)
    for _ in 0..<8 {
      for step in [Step.completeRegistration, .begin, .finish, .completeRelease] { take(step) }
    }
    guard state.isActive else { return expect(submissions == 0, "an inactive source is silent") }
    expect(cancelHandlers == (state.isCancelled ? 1 : 0), "one cancel handler if cancelled")
    if !state.isCancelled && !isDropped {
      expect(delivered == noted, "all events are delivered")
      expect(registrationHandlers == 1, "one registration handler")
      expect(isAsked, "the kernel is asked for the next event")
    }
    let isDisposed = isDropped && (hasFinalizer || !state.isCancelled)
    expect(disposals == (isDisposed ? 1 : 0), "one disposal, unless the handlers have gone")
    expect(submissions == 0 && !isRegistering && !isReleasing, "nothing is left")
  }

  private mutating func begin() {
    submissions -= 1
    let wasSuspended = state.isSuspended
    running = state.beginStep()
    expect(running == nil || !wasSuspended, "nothing runs while suspended")
    switch running {
    case .registrationHandler:
      registrationHandlers += 1
      expect(!state.isCancelled && delivered == 0, "the registration handler comes first")
    case .eventHandler(let data):
      delivered += data
      isAsked = false
      expect(!state.isCancelled, "no event follows a cancellation")
      expect(registrationHandlers == 1, "the registration handler comes first")
    case .rearm:
      expect(!isAsked && !state.isCancelled, "a rearm asks once, and not for a cancelled source")
      isAsked = true
    case .cancelHandler:
      cancelHandlers += 1
      expect(!isReleasing && !isRegistering, "the kernel has released the descriptor")
    case .disposal:
      disposals += 1
      expect(!state.isCancelled || cancelHandlers == 1, "the cancel handler comes before")
    case .endOfSequence, nil: break
    }
  }

  private mutating func perform(_ actions: SourceState.Actions) {
    if actions.contains(.register) { isRegistering = true }
    if actions.contains(.release) {
      expect(!isReleasing, "one release")
      isReleasing = true
    }
    if actions.contains(.submit) {
      expect(submissions == 0 && running == nil, "one step at a time")
      submissions += 1
    }
  }

  private mutating func expect(_ condition: Bool, _ rule: String) {
    if !condition { faults.append(rule) }
  }
}

@Suite("Source state")
struct SourceStateTests {
  @Test("Every order of steps keeps the rules of a source", arguments: [false, true])
  func orders(hasFinalizer: Bool) async {
    // The tests of other suites need the threads of tasks.
    let fault = await withCheckedContinuation { continuation in
      WorkQueue.global().async {
        continuation.resume(returning: Self.faultInOrders(of: ModelSource(hasFinalizer)))
      }
    }
    #expect(fault == nil)
  }

  /// Returns the first fault in all orders of some steps, with the order.
  private static func faultInOrders(of start: ModelSource) -> String? {
    let length = Tier.count(quick: 5, full: 7)
    func fault(after source: ModelSource, _ steps: [ModelSource.Step]) -> String? {
      var settled = source
      settled.settle()
      if let fault = settled.faults.first { return "\(fault): \(steps)" }
      if steps.count == length { return nil }
      for step in ModelSource.Step.allCases {
        var next = source
        next.take(step)
        if next != source, let fault = fault(after: next, steps + [step]) { return fault }
      }
      return nil
    }
    return fault(after: start, [])
  }

  @Test("An event that is consumed without a handler does not ask the kernel again")
  func withoutHandler() {
    var state = SourceState(.latest)
    _ = state.activate()
    _ = state.registered(nil, hasHandler: false)
    let noted = state.noted(1)
    let step = state.beginStep()
    let asks = state.finishEvent(hasHandler: false)
    let returned = state.finishStep()
    let set = state.eventHandlerChanged()
    let again = state.eventHandlerChanged()
    let next = state.beginStep()
    #expect(noted == .submit && step == .eventHandler(1))
    #expect(!asks && returned == [] && set == .submit && again == [] && next == .rearm)
  }

  @Test("A sequence ends after the events that are pending, and at once if it begins later")
  func endOfSequence() {
    var state = SourceState(.sum)
    _ = state.activate()
    _ = state.registered(nil, hasHandler: false)
    var later = state
    _ = state.noted(1)
    let ended = state.ended(hasSequence: true)
    let steps = [state.beginStep(), state.beginStep(), state.beginStep()]
    #expect(ended == [] && steps == [.eventHandler(1), .endOfSequence, nil])
    let alone = later.ended(hasSequence: false)
    let began = later.sequenceBegan()
    #expect(alone == [] && began == .submit)
    #expect(later.beginStep() == .registrationHandler && later.beginStep() == .endOfSequence)
    _ = later.cancel()
    #expect(later.sequenceBegan() == [])
  }

  @Test("Merging follows the rule of the source")
  func merging() {
    #expect(Accumulation.sum.merging(.max, 2) == 1)
    #expect(Accumulation.union(mask: 6).merging(2, 13) == 6)
    #expect(Accumulation.latest.merging(4, 0) == 0)
  }
}
