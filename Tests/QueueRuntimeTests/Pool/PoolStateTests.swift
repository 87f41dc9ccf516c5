import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Pool state")
struct PoolStateTests {
  @Test(
    "Every short history keeps the counts and loses no job",
    arguments: [(1, 1), (1, 2), (1, 3), (2, 3), (2, 2)]
  )
  func everyShortHistoryKeepsTheCountsAndLosesNoJob(width: Int, maximum: Int) {
    var histories = 0
    func explore(_ model: PoolModel, depth: Int) {
      histories += 1
      if depth == 0 {
        var settled = model
        settled.settle()
        if settled.state.isClosed { #expect(settled.count(.idle) == 0) }
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
    explore(
      PoolModel(width: width, maximum: maximum),
      depth: Tier.count(quick: 5, full: 6)
    )
    #expect(histories > 500)
  }

  @Test("A searching worker saves the call of another (S101)")
  func wakesOne() {
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

  @Test("A worker group is full if there is a job for each worker but the one that watches (S38)")
  func fullWithoutTheWatcher() {
    var model = PoolModel(width: 1, maximum: 3)
    #expect(!model.state.isFull)
    _ = model.apply(.submit, to: 0)
    #expect(!model.state.isFull)
    _ = model.apply(.advance, to: 0)
    _ = model.apply(.block, to: 0)
    #expect(!model.state.isFull)
    // A second worker will take this job once the first one is found blocked.
    _ = model.apply(.submit, to: 0)
    #expect(model.state.isFull && model.state.waiting == 1)
    while model.state.waiting > 0 {
      for worker in model.modes.indices { _ = model.apply(.advance, to: worker) }
    }
    for worker in model.modes.indices { _ = model.apply(.block, to: worker) }
    #expect(model.state.isFull && model.count(.blocked) == 2)
    for worker in model.modes.indices { _ = model.apply(.unblock, to: worker) }
    model.settle()
    #expect(!model.state.isFull)
  }

  @Test("The limit follows the blocked workers and falls back")
  func theLimitFollowsTheBlockedWorkersAndFallsBack() {
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

  @Test("Workers above the limit park though jobs wait")
  func workersAboveTheLimitParkThoughJobsWait() {
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

  @Test("A failed start is not repeated for each job")
  func failedStartsAreNotTriedAtEachJob() {
    var state = PoolState<Int>(width: 2, maximum: 2)
    let first = state.submit(0)
    #expect(first != nil && !state.hasThread)
    state.threadStarted()
    #expect(state.hasThread)
    _ = state.step(for: 0, wasSearching: true)
    guard let second = state.submit(1) else {
      Issue.record("The second worker is called.")
      return
    }
    let other = state.startFailed(second)
    #expect(other == nil)
    // The failure itself was the first of 64 chances.
    let calls = (0..<64).map { state.submit($0) }
    #expect(calls[..<63].allSatisfy { $0 == nil })
    #expect(calls[63] == second)
  }

  @Test("Workers that stay blocked delay no job twice (S100)")
  func blockedForGood() {
    var model = PoolModel(width: 1, maximum: 4)
    for _ in 0..<2 { _ = model.apply(.submit, to: 0) }
    _ = model.apply(.advance, to: 0)
    _ = model.apply(.block, to: 0)
    model.settle()
    #expect(model.count(.blocked) == 1 && !model.state.isWatched)
    #expect(model.state.limit == 2)
    let call = model.state.submit(3)
    #expect(call?.duty == .work)
  }

  @Test("The limit falls with the workers that park")
  func theLimitFallsWithTheWorkersThatPark() {
    var model = PoolModel(width: 1, maximum: 4)
    for _ in 0..<2 { _ = model.apply(.submit, to: 0) }
    _ = model.apply(.advance, to: 0)
    _ = model.apply(.block, to: 0)
    model.settle()
    _ = model.apply(.unblock, to: 0)
    model.settle()
    #expect(model.state.active == 0 && model.state.limit == 1)
  }

  @Test("All waiting jobs are passed on in order")
  func allWaitingJobsAreGivenAwayInOrder() {
    var state = PoolState<Int>(width: 1, maximum: 2)
    let call = state.submit(1)
    for job in 2...5 { #expect(state.submit(job) == nil) }
    guard let call, let next = state.startFailed(call) else {
      Issue.record("With nobody left the start is tried again.")
      return
    }
    let given = state.removeAllJobs(cancelling: next)
    #expect(given == [1, 2, 3, 4, 5])
    #expect(state.waiting == 0 && state.active == 0 && state.searching == 0 && state.threads == 0)
  }

  @Test("The last thread stays while another might not be had (S102)")
  func theLastThreadStays() {
    var state = PoolState<Int>(width: 2, maximum: 2)
    _ = state.submit(0)
    state.threadStarted()
    _ = state.step(for: 0, wasSearching: true)
    if let call = state.submit(1) { _ = state.startFailed(call) }
    while case .run = state.step(for: 0, wasSearching: false) {}
    while case .run = state.step(for: 0, wasSearching: true) {}
    #expect(state.idleThreads == 1)
    let ends = state.expire(0)
    #expect(!ends)
    let calls = state.close()
    #expect(calls == [.init(worker: 0, duty: .end, startsThread: false)])
    #expect(state.threads == 0)
  }

  @Test("Events are counted")
  func countsWhatHappens() {
    var state = PoolState<Int>(width: 1, maximum: 1)
    let first = state.submit(0)
    #expect(first?.startsThread == true)
    _ = state.step(for: 0, wasSearching: true)
    _ = state.step(for: 0, wasSearching: false)
    _ = state.step(for: 0, wasSearching: true)
    let second = state.submit(1)
    #expect(second?.startsThread == false)
    #expect(state.counters == .init(submitted: 2, starts: 1, failedStarts: 0, wakes: 1))
  }
}
