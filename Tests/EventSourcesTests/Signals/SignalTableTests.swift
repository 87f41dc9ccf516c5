import TestSupport
import Testing

@testable import EventSources

@Suite("Table of watched signals")
struct SignalTableTests {
  private let signal: Int32 = 10
  private var bit: UInt64 { 1 << 9 }

  @Test("The first source installs the handler and the last one restores the disposition")
  func firstAndLast() {
    var table = SignalTable()
    #expect(table.add(signal, found: .defaultAction) == .install)
    #expect(table.add(signal, found: .counted) == .none)
    #expect(table.watched == [signal])
    #expect(table.remove(signal, found: .counted) == .none)
    #expect(table.remove(signal, found: .counted) == .restore)
    #expect(table.watched == [] && table.takenWhilePending == 0)
    #expect(table.remove(signal, found: .counted) == .none)
    #expect(table.add(signal, found: .handled) == .install)
  }

  @Test("Pending signals are taken unless the program handles the signal")
  func pendingSignals() {
    var table = SignalTable()
    _ = table.add(1, found: .defaultAction)
    _ = table.add(64, found: .ignored)
    _ = table.add(2, found: .handled)
    // The program's handler of this one is not called anyway.
    _ = table.add(SignalCounters.unchained, found: .handled)
    let quit: UInt64 = 1 << UInt64(SignalCounters.unchained - 1)
    #expect(table.takenWhilePending == 1 | 1 << 63 | quit)
    table.look(at: 1, found: .handled)
    table.look(at: 64, found: .defaultAction)
    #expect(table.takenWhilePending == quit)
    table.look(at: 1, found: .counted)
    #expect(table.takenWhilePending == 1 | quit)
  }

  @Test("A second source takes a signal back that the program ignores")
  func ignoredForAWhile() {
    var table = SignalTable()
    _ = table.add(signal, found: .handled)
    table.look(at: signal, found: .ignored)
    #expect(table.add(signal, found: .ignored) == .reinstall)
    // The handler of the program is still called.
    #expect(table.takenWhilePending == 0)
  }

  @Test("The handler is not installed above one that may call it")
  func chainedHandlers() {
    var table = SignalTable()
    _ = table.add(signal, found: .ignored)
    #expect(table.add(signal, found: .handled) == .none)
    #expect(table.remove(signal, found: .handled) == .none)
    #expect(table.remove(signal, found: .handled) == .none)
    #expect(table.add(signal, found: .handled) == .none)
    #expect(table.remove(signal, found: .counted) == .restore)
  }

  @Test("In any order of changes handlers do not call each other without end")
  func noCircles() {
    for seed in 0..<UInt64(Tier.count(quick: 20_000, full: 1_000_000)) {
      var process = SimulatedProcess(seed: seed)
      for _ in 0..<40 { process.step() }
      #expect(process.failure == nil, "seed \(seed): \(process.failure ?? "")")
    }
  }
}

/// A process whose program and whose sources change the disposition of one signal.
private struct SimulatedProcess {
  /// A disposition, with the one that a handler of the program calls.
  private indirect enum Action {
    case defaultAction
    case ignored
    case program(calls: Action)
    case counting
  }

  private let signal: Int32 = 10
  private var generator: SeededGenerator
  private var table = SignalTable()
  private var action = Action.defaultAction
  /// The disposition that the counting handler calls.
  private var former = Action.defaultAction
  private var sources = 0
  /// What the program has set aside, to be set again.
  private var aside: [Action] = []
  private(set) var failure: String?

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private var found: SignalTable.Disposition {
    switch action {
    case .defaultAction: .defaultAction
    case .ignored: .ignored
    case .program: .handled
    case .counting: .counted
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1:
      sources += 1
      perform(table.add(signal, found: found))
    case 2, 3:
      guard sources > 0 else { return }
      sources -= 1
      perform(table.remove(signal, found: found))
    case 4: table.look(at: signal, found: found)
    case 5: set(.program(calls: action))
    case 6: set(Bool.random(using: &generator) ? .ignored : .defaultAction)
    default: if let last = aside.popLast() { action = last }
    }
    check()
  }

  private mutating func set(_ new: Action) {
    aside.append(action)
    action = new
  }

  private mutating func perform(_ change: SignalTable.Change) {
    switch change {
    case .none: break
    case .install:
      former = action
      action = .counting
    case .reinstall: action = .counting
    case .restore: action = former
    }
  }

  private mutating func check() {
    var called = action
    var calls = 0
    while calls < 1000 {
      switch called {
      case .defaultAction, .ignored: return
      case .program(let next): called = next
      case .counting: called = former
      }
      calls += 1
    }
    failure = "a handler calls itself"
  }
}
