import TestSupport
import Testing

@testable import EventSources

/// A source's state, driven by hand: its queue, the kernel and the program.
private struct ModelSource {
  enum Step: CaseIterable {
    case activate, note, cancel, drop, completeRegistration, completeRelease, runItem, finishHandler
  }

  private enum Item { case registrationHandler, delivery, cancelHandler, disposal }

  private var state = SourceState(.sum)
  private var items: [Item] = []
  private var runsHandler = false
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
    case .drop where !isDropped && state.isActive:
      isDropped = true
      perform(state.abandon())
    case .completeRegistration where isRegistering:
      isRegistering = false
      perform(state.registered(nil, hasHandler: true))
    case .completeRelease where isReleasing:
      isReleasing = false
      perform(state.released())
    case .runItem where !runsHandler && !items.isEmpty: run(items.removeFirst())
    case .finishHandler where runsHandler:
      runsHandler = false
      perform(state.returned(hadHandler: true))
    default: break
    }
  }

  /// Completes everything that is under way and checks the result.
  mutating func settle() {
    for _ in 0..<8 {
      for step in [Step.completeRegistration, .runItem, .finishHandler, .completeRelease] {
        take(step)
      }
    }
    guard state.isActive else { return expect(items.isEmpty, "an inactive source runs nothing") }
    if state.isCancelled {
      expect(cancelHandlers == 1, "one cancel handler")
    } else {
      expect(cancelHandlers == 0, "no cancel handler")
      if !isDropped {
        expect(delivered == noted, "all events are delivered")
        expect(registrationHandlers == 1, "one registration handler")
      }
    }
    expect(disposals == (isDropped ? 1 : 0), "one disposal")
    expect(items.isEmpty && !isRegistering && !isReleasing, "nothing is left")
  }

  private mutating func run(_ item: Item) {
    switch item {
    case .registrationHandler:
      if state.takeRegistrationHandler() {
        registrationHandlers += 1
        expect(!state.isCancelled && delivered == 0, "the registration handler comes first")
      }
    case .delivery:
      runsHandler = true
      if let data = state.latch() {
        delivered += data
        expect(!state.isCancelled, "no event follows a cancellation")
        expect(registrationHandlers == 1, "the registration handler comes first")
      }
    case .cancelHandler:
      cancelHandlers += 1
      expect(!isReleasing && !isRegistering, "the kernel has released the descriptor")
    case .disposal:
      disposals += 1
      expect(!state.isCancelled || cancelHandlers == 1, "the cancel handler comes before")
    }
  }

  private mutating func perform(_ actions: SourceState.Actions) {
    if actions.contains(.register) { isRegistering = true }
    if actions.contains(.release) {
      expect(!isReleasing, "one release")
      isReleasing = true
    }
    if actions.contains(.rearm) { expect(!state.isCancelled, "no rearm of a cancelled source") }
    if actions.contains(.submitRegistrationHandler) { items.append(.registrationHandler) }
    if actions.contains(.submitDelivery) {
      expect(!items.contains(.delivery) && !runsHandler, "one delivery at a time")
      items.append(.delivery)
    }
    if actions.contains(.submitCancelHandler) { items.append(.cancelHandler) }
    if actions.contains(.submitDisposal) { items.append(.disposal) }
  }

  private mutating func expect(_ condition: Bool, _ rule: String) {
    if !condition { faults.append(rule) }
  }
}

@Suite("Source state")
struct SourceStateTests {
  @Test("Every order of steps keeps the rules of a source")
  func orders() {
    let length = Tier.current == .full ? 7 : 5
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
    _ = state.registered(nil, hasHandler: true)
    let noted = state.noted(1)
    let latched = state.latch()
    let returned = state.returned(hadHandler: false)
    let set = state.eventHandlerChanged()
    let again = state.eventHandlerChanged()
    #expect(noted == .submitDelivery && latched == 1)
    #expect(returned == [] && set == .rearm && again == [])
  }

  @Test("Merging follows the rule of the source")
  func merging() {
    #expect(Accumulation.sum.merging(.max, 2) == 1)
    #expect(Accumulation.union(mask: 6).merging(2, 13) == 6)
    #expect(Accumulation.latest.merging(4, 0) == 0)
  }
}
