import Testing

@testable import QueueRuntime

/// Workers as a pool's state sees them, without threads.
struct PoolModel {
  enum Mode: Equatable {
    case absent, idle, called, working, blocked, searching, watching
  }

  enum Event: CaseIterable {
    case submit, advance, block, unblock, expire, close
    /// Submit where no thread can be started: then work oneself, try once more, or give jobs away.
    case submitInNeed, submitAndRetry, submitAndGiveAway
  }

  var state: PoolState<Int>
  var modes: [Mode]
  var inlineWorkers = 0
  var submitted = 0
  var hasFailed = false
  /// Whether the latest start failed.
  var isShort = false
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
    case (.submit, _), (.submitInNeed, _), (.submitAndRetry, _), (.submitAndGiveAway, _):
      guard worker == 0 else { return false }
      submitted += 1
      answer(state.submit(submitted), event)
    case (.close, _):
      guard worker == 0 && !state.isClosed else { return false }
      close()
    case (.advance, .called), (.advance, .searching): step(worker, wasSearching: true)
    case (.advance, .working): step(worker, wasSearching: false)
    case (.advance, .watching): observe(worker)
    case (.block, .working): modes[worker] = .blocked
    case (.unblock, .blocked): modes[worker] = .working
    case (.expire, .idle):
      let ends = state.expire(worker)
      #expect(ends == !(isShort && count(.absent) == modes.count - 1))
      if ends { modes[worker] = .absent }
    default: return false
    }
    check()
    return true
  }

  private mutating func answer(_ call: PoolState<Int>.Call?, _ event: Event = .submit) {
    guard let call else { return }
    #expect(modes[call.worker] == (call.startsThread ? .absent : .idle))
    guard event != .submit && call.startsThread else {
      if call.startsThread {
        isShort = false
        state.threadStarted()
      }
      modes[call.worker] = call.duty == .watch ? .watching : .called
      return
    }
    hasFailed = true
    isShort = true
    guard let next = state.startFailed(call) else { return }
    // An idle worker, or nobody is left.
    guard next.startsThread else { return answer(next) }
    #expect(count(.called, .working, .blocked, .searching, .idle) == 0)
    #expect(!state.hasThread)
    switch event {
    case .submitInNeed: workOneself(after: next)
    case .submitAndGiveAway: taken += state.removeAllJobs(cancelling: next)
    default: answer(next)
    }
  }

  private mutating func workOneself(after call: PoolState<Int>.Call) {
    state.replaceWithCaller(call)
    inlineWorkers += 1
    while case .run(let job, let next) = state.step(for: nil, wasSearching: false) {
      taken.append(job)
      answer(next, .submitInNeed)
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
    case .rest(let call, let ends):
      rest(worker, ends)
      answer(call)
    }
  }

  private mutating func observe(_ watcher: Int) {
    switch state.observe(blocked: count(.blocked), by: watcher) {
    case .raised(let calls): calls.forEach { answer($0) }
    case .unchanged: break
    case .rest(let ends): rest(watcher, ends)
    }
  }

  private mutating func rest(_ worker: Int, _ ends: Bool) {
    #expect(ends == state.isClosed)
    modes[worker] = ends ? .absent : .idle
  }

  private mutating func close() {
    let ended = state.close().map(\.worker)
    #expect(ended.sorted() == modes.indices.filter { modes[$0] == .idle })
    for worker in ended { modes[worker] = .absent }
  }

  private func check() {
    #expect(state.active == count(.called, .working, .blocked, .searching) + inlineWorkers)
    #expect(state.searching == count(.called, .searching))
    #expect(state.isWatched == (count(.watching) == 1))
    #expect(state.threads == state.maximum - count(.absent))
    #expect(state.idleThreads == count(.idle))
    #expect((state.width...state.width + state.active).contains(state.limit))
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
