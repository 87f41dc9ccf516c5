import TestSupport
import Testing

@testable import EventSources

/// A source's state, driven by hand: its queue, the kernel and the program.
private struct ModelSource {
  enum Step: CaseIterable {
    case activate, note, cancel, drop, suspend, resume
    case completeRegistration, completeRelease, begin, finish
  }

  private var state = SourceState(.sum)
  private var submissions = 0
  private var running: SourceState.Step?
  private var isRegistering = false
  private var isReleasing = false
  private var isDropped = false
  private var noted: UInt = 0
  private var delivered: UInt = 0
  private var cancelHandlers = 0
  private var disposals = 0
  private var registrationHandlers = 0
  private(set) var faults: [String] = []

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
      perform(state.abandon())
    case .completeRegistration where isRegistering:
      isRegistering = false
      perform(state.registered(nil, hasHandler: true))
    case .completeRelease where isReleasing:
      isReleasing = false
      perform(state.released())
    case .begin where running == nil && submissions > 0: begin()
    case .finish:
      guard let step = running.take() else { return }
      perform(state.finishStep(step, hadHandler: true))
    default: break
    }
  }

  /// Completes everything that is under way and checks the result.
  mutating func settle() {
    // A script has fewer suspensions than that.
    for _ in 0..<100 where state.isSuspended { take(.resume) }
    expect(!state.isSuspended, "as many resumptions as suspensions resume")
    for _ in 0..<8 {
      for step in [Step.completeRegistration, .begin, .finish, .completeRelease] { take(step) }
    }
    guard state.isActive else { return expect(submissions == 0, "an inactive source is silent") }
    expect(cancelHandlers == (state.isCancelled ? 1 : 0), "one cancel handler if cancelled")
    if !state.isCancelled && !isDropped {
      expect(delivered == noted, "all events are delivered")
      expect(registrationHandlers == 1, "one registration handler")
    }
    expect(disposals == (isDropped ? 1 : 0), "one disposal")
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
      expect(!state.isCancelled, "no event follows a cancellation")
      expect(registrationHandlers == 1, "the registration handler comes first")
    case .cancelHandler:
      cancelHandlers += 1
      expect(!isReleasing && !isRegistering, "the kernel has released the descriptor")
    case .disposal:
      disposals += 1
      expect(!state.isCancelled || cancelHandlers == 1, "the cancel handler comes before")
    case nil: break
    }
  }

  private mutating func perform(_ actions: SourceState.Actions) {
    if actions.contains(.register) { isRegistering = true }
    if actions.contains(.release) {
      expect(!isReleasing, "one release")
      isReleasing = true
    }
    if actions.contains(.rearm) { expect(!state.isCancelled, "no rearm of a cancelled source") }
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
  @Test("Every order of steps keeps the rules of a source")
  func orders() {
    let length = Tier.count(quick: 5, full: 6)
    var failure: String?
    func walk(_ source: ModelSource, _ steps: [ModelSource.Step]) {
      var settled = source
      settled.settle()
      if let fault = settled.faults.first, failure == nil { failure = "\(fault): \(steps)" }
      if steps.count == length || failure != nil { return }
      for step in ModelSource.Step.allCases {
        var next = source
        next.take(step)
        walk(next, steps + [step])
      }
    }
    walk(ModelSource(), [])
    #expect(failure == nil)
  }

  @Test("An event that is consumed without a handler does not ask the kernel again")
  func withoutHandler() {
    var state = SourceState(.latest)
    _ = state.activate()
    _ = state.registered(nil, hasHandler: false)
    let noted = state.noted(1)
    let step = state.beginStep()
    let returned = state.finishStep(.eventHandler(1), hadHandler: false)
    let set = state.eventHandlerChanged()
    let again = state.eventHandlerChanged()
    #expect(noted == .submit && step == .eventHandler(1))
    #expect(returned == [] && set == .rearm && again == [])
  }

  @Test("Merging follows the rule of the source")
  func merging() {
    #expect(Accumulation.sum.merging(.max, 2) == 1)
    #expect(Accumulation.union(mask: 6).merging(2, 13) == 6)
    #expect(Accumulation.latest.merging(4, 0) == 0)
  }
}
