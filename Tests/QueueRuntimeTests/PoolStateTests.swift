import Testing

@testable import QueueRuntime

/// Workers as a pool's state sees them, without threads.
private struct PoolModel {
  enum Mode: Equatable {
    case absent, idle, called, working, blocked, searching, watching
  }

  enum Event: CaseIterable {
    case submit, submitAndFailToStart, advance, block, unblock, expire
  }

  var state: PoolState<Int>
  var modes: [Mode]
  var inlineWorkers = 0
  var submitted = 0
  var hasFailed = false
  var taken: [Int] = []

  init(width: Int, maximum: Int) {
    state = PoolState(width: width, maximum: maximum)
    modes = Array(repeating: .absent, count: maximum)
  }

  func count(_ wanted: Mode...) -> Int { modes.count { wanted.contains($0) } }

  /// Applies an event to the first worker that it fits.
  ///
  /// - Returns: False when it fits none.
  mutating func apply(_ event: Event, to worker: Int) -> Bool {
    switch (event, modes[worker]) {
    case (.submit, _), (.submitAndFailToStart, _):
      guard worker == 0 else { return false }
      submitted += 1
      answer(state.submit(submitted), fails: event == .submitAndFailToStart)
    case (.advance, .called), (.advance, .searching): step(worker, wasSearching: true)
    case (.advance, .working): step(worker, wasSearching: false)
    case (.advance, .watching): observe(worker)
    case (.block, .working): modes[worker] = .blocked
    case (.unblock, .blocked): modes[worker] = .working
    case (.expire, .idle):
      let ends = state.expire(worker)
      #expect(ends)
      modes[worker] = .absent
    default: return false
    }
    check()
    return true
  }

  private mutating func answer(_ call: PoolState<Int>.Call?, fails: Bool = false) {
    guard let call else { return }
    #expect(modes[call.worker] == (call.startsThread ? .absent : .idle))
    modes[call.worker] = call.duty == .watch ? .watching : .called
    guard fails && call.startsThread else { return }
    modes[call.worker] = .absent
    hasFailed = true
    guard state.startFailed(call) else { return }
    inlineWorkers += 1
    while case .run(let job, let next) = state.step(for: nil, wasSearching: false) {
      taken.append(job)
      answer(next, fails: true)
    }
    inlineWorkers -= 1
  }

  private mutating func step(_ worker: Int, wasSearching: Bool) {
    switch state.step(for: worker, wasSearching: wasSearching) {
    case .run(let job, let call):
      taken.append(job)
      modes[worker] = .working
      answer(call)
    case .search:
      modes[worker] = .searching
    case .park(let call):
      modes[worker] = .idle
      answer(call)
    }
  }

  private mutating func observe(_ watcher: Int) {
    switch state.observe(blocked: count(.blocked), by: watcher) {
    case .raised(let calls): calls.forEach { answer($0) }
    case .unchanged: break
    case .park: modes[watcher] = .idle
    }
  }

  private func check() {
    #expect(state.active == count(.called, .working, .blocked, .searching) + inlineWorkers)
    #expect(state.searching == count(.called, .searching))
    #expect(state.isWatched == (count(.watching) == 1))
    #expect(state.threads == state.maximum - count(.absent))
    #expect(taken == Array(1..<(taken.count + 1)))
    #expect(state.waiting == submitted - taken.count)
    // Whoever works looks for the next job, so a job is lost only if nobody does. Where threads
    // could not be started, a job may wait for a worker that is blocked.
    if state.waiting > 0 && state.searching == 0 && count(.working) + inlineWorkers == 0 {
      #expect(state.active > 0)
      if hasFailed { return }
      #expect(state.active >= state.limit)
      #expect(state.isWatched || state.limit >= state.maximum - 1 || count(.idle, .absent) == 0)
    }
  }

  /// Lets everybody advance but the blocked, until nothing changes.
  mutating func settle() {
    for _ in 0..<100 {
      for worker in modes.indices { _ = apply(.advance, to: worker) }
    }
  }
}

@Suite struct PoolStateTests {
  @Test(arguments: [(1, 1), (1, 2), (1, 3), (2, 3), (2, 2)])
  func everyShortHistoryKeepsTheCountsAndLosesNoJob(width: Int, maximum: Int) {
    var histories = 0
    func explore(_ model: PoolModel, depth: Int) {
      histories += 1
      if depth == 0 {
        var settled = model
        settled.settle()
        let blocked = settled.count(.blocked)
        let isFull = blocked >= (settled.hasFailed ? 1 : max(width, maximum - 1))
        #expect(settled.state.waiting == 0 || isFull)
        return
      }
      for event in PoolModel.Event.allCases {
        for worker in 0..<maximum {
          var next = model
          if next.apply(event, to: worker) { explore(next, depth: depth - 1) }
        }
      }
    }
    explore(PoolModel(width: width, maximum: maximum), depth: 6)
    #expect(histories > 500)
  }

  @Test func aSearchingWorkerSavesTheCallOfAnother() {
    var state = PoolState<Int>(width: 2, maximum: 4)
    let first = state.submit(1)
    #expect(first == .init(worker: 0, duty: .work, startsThread: true))
    let second = state.submit(2)
    #expect(second == nil)
    guard case .run(1, let call) = state.step(for: 0, wasSearching: true) else {
      Issue.record("The worker takes the oldest job.")
      return
    }
    #expect(call == .init(worker: 1, duty: .work, startsThread: true))
  }

  @Test func theLimitFollowsTheBlockedWorkersAndFallsBack() {
    var model = PoolModel(width: 1, maximum: 8)
    for _ in 0..<5 { _ = model.apply(.submit, to: 0) }
    _ = model.apply(.advance, to: 0)
    #expect(model.count(.working) == 1 && model.count(.watching) == 1)
    _ = model.apply(.block, to: 0)
    for worker in model.modes.indices { _ = model.apply(.advance, to: worker) }
    #expect(model.state.limit == 2)
    #expect(model.count(.blocked, .called, .working) == 2)
    for worker in model.modes.indices { _ = model.apply(.unblock, to: worker) }
    model.settle()
    #expect(model.state.limit == 1)
    #expect(model.state.waiting == 0)
    #expect(model.count(.idle, .absent) == 8)
  }

  @Test func workersAboveTheLimitParkThoughJobsWait() {
    var model = PoolModel(width: 1, maximum: 4)
    for _ in 0..<4 { _ = model.apply(.submit, to: 0) }
    _ = model.apply(.advance, to: 0)
    _ = model.apply(.block, to: 0)
    // The watcher calls a second worker, and then finds the first one running again.
    for worker in 1..<4 { _ = model.apply(.advance, to: worker) }
    _ = model.apply(.unblock, to: 0)
    _ = model.apply(.advance, to: 1)
    #expect(model.count(.working) == 2 && model.state.limit == 1)
    _ = model.apply(.advance, to: 0)
    #expect(model.count(.working, .idle) == 2 && model.count(.idle) == 1)
    #expect(model.state.waiting == 2)
  }

  @Test func failedStartsAreNotTriedAtEachJob() {
    var state = PoolState<Int>(width: 2, maximum: 2)
    let first = state.submit(0)
    #expect(first != nil)
    _ = state.step(for: 0, wasSearching: true)
    guard let second = state.submit(1) else {
      Issue.record("The second worker is called.")
      return
    }
    let mustWork = state.startFailed(second)
    #expect(!mustWork)
    let calls = (0..<65).map { state.submit($0) }
    #expect(calls[..<64].allSatisfy { $0 == nil })
    #expect(calls[64] == second)
  }
}
