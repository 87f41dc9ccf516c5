import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Table of watched signals")
struct SignalTableTests {
  private let signal: Int32 = 10
  private var bit: UInt64 { 1 << 9 }

  private let counted = SignalTable.Disposition.counted(level: 0)

  @Test("The first source installs the handler and the last one restores the disposition")
  func firstAndLast() {
    var table = SignalTable()
    #expect(table.add(signal, found: .defaultAction) == .install(level: 0))
    #expect(table.add(signal, found: counted) == .none)
    #expect(table.watched == [signal])
    #expect(table.remove(signal, found: counted) == .none)
    #expect(table.remove(signal, found: counted) == .restore(level: 0, resends: true))
    #expect(table.watched == [] && table.takenWhilePending == 0)
    #expect(table.remove(signal, found: counted) == .none)
    #expect(table.add(signal, found: .handled) == .install(level: 0))
    #expect(table.remove(signal, found: counted) == .restore(level: 0, resends: false))
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
    table.look(at: 1, found: counted)
    #expect(table.takenWhilePending == 1 | quit)
  }

  @Test("A further source counts above a disposition that the program has set, at a new level")
  func laterDispositions() {
    var table = SignalTable()
    _ = table.add(signal, found: .handled)
    #expect(table.add(signal, found: .ignored) == .install(level: 1))
    // The handler of the program is not called above an ignored signal.
    #expect(table.takenWhilePending == bit)
    table.look(at: signal, found: counted)
    #expect(table.takenWhilePending == 0)
    #expect(table.remove(signal, found: counted) == .none)
    // The lower level is the disposition again.
    #expect(table.remove(signal, found: counted) == .restore(level: 0, resends: false))
  }

  @Test("A disposition that the program has set stays when the last source ends")
  func laterDispositionStays() {
    var table = SignalTable()
    _ = table.add(signal, found: .defaultAction)
    #expect(table.remove(signal, found: .ignored) == .none)
    // Nothing is to be restored later but that disposition, each time.
    for _ in 0..<100 {
      #expect(table.add(signal, found: .ignored) == .install(level: 1))
      #expect(table.remove(signal, found: .ignored) == .none)
    }
    #expect(table.add(signal, found: .ignored) == .install(level: 1))
    let counted = SignalTable.Disposition.counted(level: 1)
    #expect(table.remove(signal, found: counted) == .restore(level: 1, resends: true))
  }

  @Test("No level is installed above a handler that may call it, and the last one is not repeated")
  func chainedHandlers() {
    var table = SignalTable()
    for level in 0..<SignalCounters.levels {
      #expect(table.add(signal, found: .handled) == .install(level: level))
      // The same level is used as long as no handler has been set above it.
      let counted = SignalTable.Disposition.counted(level: level)
      #expect(table.remove(signal, found: counted) == .restore(level: level, resends: false))
      #expect(table.add(signal, found: .handled) == .install(level: level))
      #expect(table.remove(signal, found: .handled) == .none)
    }
    #expect(table.add(signal, found: .handled) == .refuse)
    #expect(table.watched == [])
    #expect(
      table.add(signal, found: .ignored) == .install(level: SignalCounters.levels - 1)
    )
  }

  @Test("In any order of changes sources count, and handlers do not call each other without end")
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
  private indirect enum Action: Equatable {
    case defaultAction
    case ignored
    case program(number: Int, calls: Action)
    case counting(level: Int)
  }

  private let signal: Int32 = 10
  private var generator: SeededGenerator
  private var table = SignalTable()
  private var action = Action.defaultAction
  /// The dispositions below the levels.
  private var formers = [Action](repeating: .defaultAction, count: SignalCounters.levels)
  /// The disposition that the program has set last.
  private var own = Action.defaultAction
  private var sources = 0
  /// The dispositions that the program has set aside, to be set again.
  private var aside: [Action] = []
  private var number = 0
  /// Whether a level had to be used again, so that a disposition was forgotten.
  private var isExhausted = false
  private(set) var failure: String?

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private var found: SignalTable.Disposition {
    switch action {
    case .defaultAction: .defaultAction
    case .ignored: .ignored
    case .program: .handled
    case .counting(let level): .counted(level: level)
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: addSource()
    case 2, 3:
      guard sources > 0 else { return }
      sources -= 1
      perform(table.remove(signal, found: found))
      if sources == 0, !isExhausted, action != own { failure = "\(own) is not restored" }
    case 4: table.look(at: signal, found: found)
    case 5:
      number += 1
      set(.program(number: number, calls: action))
    case 6: set(Bool.random(using: &generator) ? .ignored : .defaultAction)
    default:
      guard let last = aside.popLast() else { return }
      action = last
      if case .counting(let level) = last, sources > 0 { own = formers[level] } else { own = last }
    }
    check()
  }

  private mutating func addSource() {
    let change = table.add(signal, found: found)
    if change == .refuse {
      isExhausted = true
      return
    }
    sources += 1
    // The program may have set a counting handler again without a source.
    if case .counting(let level) = action { own = formers[level] }
    perform(change)
    if case .counting = action { return }
    failure = "a source does not count"
  }

  private mutating func set(_ new: Action) {
    aside.append(action)
    action = new
    own = new
  }

  private mutating func perform(_ change: SignalTable.Change) {
    switch change {
    case .none, .refuse: break
    case .install(let level):
      let isUsed = aside.contains(.counting(level: level)) && formers[level] != action
      if isUsed { isExhausted = true }
      formers[level] = action
      action = .counting(level: level)
    case .restore(let level, _): action = formers[level]
    }
  }

  private mutating func check() {
    var called = action
    for _ in 0..<1000 {
      switch called {
      case .defaultAction, .ignored: return
      case .program(_, let next): called = next
      case .counting(let level): called = formers[level]
      }
    }
    failure = "a handler calls itself"
  }
}
