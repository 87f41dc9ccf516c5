import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("State of a memory budget (I11, S115)")
struct BudgetStateTests {
  @Test("An account has a quarter at most, and always one piece")
  func anAccountHasAQuarterAtMostAndAlwaysOnePiece() {
    var state = BudgetState<Int>(limit: 400)
    let account = state.open()
    var steps = [state.take(300, for: account, orAdd: 1), state.take(1, for: account, orAdd: 2)]
    #expect(steps == [true, false], "one piece is always there, and then the quarter is used up")
    let served = state.release(300, from: account).map(\.waiter)
    #expect(served == [2])
    steps = [state.take(99, for: account, orAdd: 3), state.take(1, for: account, orAdd: 4)]
    #expect(steps == [true, false])
  }

  @Test("The budget is granted in the order of the requests")
  func theWholeIsSharedInTheOrderOfAsking() {
    var state = BudgetState<Int>(limit: 400)
    let accounts = (0..<6).map { _ in state.open() }
    // The last two get their one piece, whatever others have.
    let first = zip(accounts, [90, 90, 90, 90, 50, 50]).map { account, bytes in
      state.take(bytes, for: account, orAdd: 0)
    }
    #expect(first == Array(repeating: true, count: 6))
    let second = [5, 4].map { state.take(10, for: accounts[$0], orAdd: $0) }
    #expect(second == [false, false])
    let served = [(60, 0), (15, 0), (10, 1), (10, 1)].map { bytes, index in
      state.release(bytes, from: accounts[index]).map(\.waiter)
    }
    #expect(served == [[], [5], [4], []])
  }

  @Test("A smaller piece does not overtake waiting ones")
  func nobodyPassesTheLineWithASmallerPiece() {
    var state = BudgetState<Int>(limit: 400)
    let accounts = (0..<6).map { _ in state.open() }
    let first = zip(accounts, [100, 100, 100, 50, 10, 10]).map { account, bytes in
      state.take(bytes, for: account, orAdd: 0)
    }
    #expect(first == Array(repeating: true, count: 6))
    let second = [(50, 3), (5, 4), (5, 4), (5, 5)].enumerated().map { number, piece in
      state.take(piece.0, for: accounts[piece.1], orAdd: number)
    }
    #expect(second == [false, false, false, false], "30 are there, and the first needs 50")
    let served = [10, 30].map { state.release($0, from: accounts[0]).map(\.waiter) }
    #expect(served == [[], [0, 1, 3, 2]], "accounts take turns")
  }

  @Test("Memory that is taken at once waits for no account and overtakes none")
  func whatIsTakenNowWaitsForNobodyAndPassesNobody() {
    var state = BudgetState<Int>(limit: 400)
    let account = state.open()
    var steps = [state.takeNow(60, for: account), state.takeNow(50, for: account)]
    #expect(steps == [true, false])
    #expect(state.used == 60 && !state.isShort)
    steps = [state.take(50, for: account, orAdd: 1), state.takeNow(10, for: account)]
    #expect(steps == [false, false], "one of the account waits")
    let served = state.release(60, from: account).map(\.waiter)
    #expect(served == [1])
  }

  @Test("Charged memory counts and is never refused")
  func whatIsChargedCountsAndIsNeverRefused() {
    var state = BudgetState<Int>(limit: 400)
    let account = state.open()
    state.charge(1000, to: account)
    #expect(state.used == 1000)
    let isThere = state.take(1, for: account, orAdd: 1)
    #expect(!isThere)
    let served = state.release(1000, from: account).map(\.waiter)
    #expect(served == [1])
  }

  /// Random accounts and pieces beside a plain count of who has what.
  @Test("No account waits for free memory, and all are served in the end")
  func nobodyWaitsForWhatIsThereAndAllAreServedInTheEnd() {
    var generator = SeededGenerator()
    for _ in 0..<Tier.count(quick: 200, full: 20_000) {
      var program = Program(&generator)
      for _ in 0..<200 {
        program.step(&generator)
        guard program.fault == nil else { break }
      }
      program.finish()
      #expect(program.fault == nil, "seed \(generator.seed)")
      if program.fault != nil { return }
    }
  }
}

/// A random use of a budget, checked after each step.
private struct Program {
  private var state: BudgetState<Int>
  private var accounts: [Int]
  /// The pieces that each account has, and those it waits for, by number.
  private var pieces: [[Int]]
  private var waiting: [[Int: Int]]
  private var nextWaiter = 0
  private(set) var fault: String?

  init(_ generator: inout SeededGenerator) {
    state = BudgetState(limit: generator.number(in: 8..<400))
    let count = generator.number(in: 1..<8)
    accounts = []
    for _ in 0..<count { accounts.append(state.open()) }
    pieces = accounts.map { _ in [] }
    waiting = accounts.map { _ in [:] }
  }

  mutating func step(_ generator: inout SeededGenerator) {
    let index = generator.number(in: 0..<accounts.count)
    let bytes = generator.number(in: 1..<60)
    switch generator.number(in: 0..<5) {
    case 0, 1:
      if state.take(bytes, for: accounts[index], orAdd: nextWaiter) {
        pieces[index].append(bytes)
      } else {
        waiting[index][nextWaiter] = bytes
      }
      nextWaiter += 1
    case 2:
      state.charge(bytes, to: accounts[index])
      pieces[index].append(bytes)
    default:
      release(from: index)
    }
    check()
  }

  /// Gives everything back, which has to serve everybody.
  mutating func finish() {
    while fault == nil, let index = pieces.firstIndex(where: { !$0.isEmpty }) {
      release(from: index)
      check()
    }
    if waiting.contains(where: { !$0.isEmpty }) { fault = "somebody waits for ever" }
    if state.used != 0 { fault = "\(state.used) bytes got lost" }
  }

  private mutating func release(from index: Int) {
    guard let bytes = pieces[index].popLast() else { return }
    let isAnyWaiting = waiting.contains { !$0.isEmpty }
    if state.releaseWithoutWaiters(bytes, from: accounts[index]) {
      if isAnyWaiting { fault = "a release passed waiters" }
      return
    }
    if !isAnyWaiting { fault = "a release without waiters was refused" }
    for grant in state.release(bytes, from: accounts[index]) {
      guard let owner = waiting.firstIndex(where: { $0[grant.waiter] == grant.bytes }) else {
        fault = "a grant for nobody"
        return
      }
      if waiting[owner].keys.min() != grant.waiter { fault = "served out of order" }
      waiting[owner][grant.waiter] = nil
      pieces[owner].append(grant.bytes)
    }
  }

  private mutating func check() {
    let used = pieces.reduce(0) { $0 + $1.reduce(0, +) }
    if state.used != used { fault = "\(state.used) counted, \(used) used" }
    for index in accounts.indices {
      let held = pieces[index].reduce(0, +)
      if state.held(by: accounts[index]) != held { fault = "an account has a wrong sum" }
      guard let first = waiting[index].min(by: { $0.key < $1.key })?.value else { continue }
      if held == 0 { fault = "an account without anything waits" }
      // One that fits may wait behind another account, but not when nobody else lacks the whole.
      let fits = first <= state.limit / 4 - held && first <= state.limit - used
      let othersWait = waiting.indices.contains { other in
        other != index && !waiting[other].isEmpty
      }
      if fits && !othersWait { fault = "an account waits for what is there" }
    }
  }
}
