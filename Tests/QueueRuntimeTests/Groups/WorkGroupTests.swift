import Synchronization
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Groups (S86)")
struct WorkGroupTests {
  private let queue = WorkQueue(label: "group")

  @Test("A wait ends when all have left")
  func waitEndsWhenAllHaveLeft() {
    let group = WorkGroup()
    let count = Atomic<Int>(0)
    for _ in 0..<1000 {
      WorkQueue.global().async(group: group) { count.add(1, ordering: .relaxed) }
    }
    group.wait()
    #expect(count.load(ordering: .relaxed) == 1000)
  }

  @Test("A wait with a time limit returns which came first")
  func waitWithATimeLimitTellsWhichCameFirst() {
    let group = WorkGroup()
    #expect(group.wait(timeout: .now()) == .success)
    #expect(group.wait(timeout: .now() + .seconds(1)) == .success)
    group.enter()
    #expect(group.wait(timeout: .now()) == .timedOut)
    #expect(group.wait(timeout: .now() + .seconds(-1)) == .timedOut)
    #expect(group.wait(timeout: .now() + .milliseconds(5)) == .timedOut)
    queue.async { group.leave() }
    #expect(group.wait(timeout: .now() + .seconds(Int64.max)) == .success)
  }

  @Test("A group that becomes empty at the last moment is empty")
  func aGroupThatIsEmptyAtTheLastMomentIsEmpty() {
    let group = WorkGroup()
    group.enter()
    // Asked for the time left the second time, the thread is among those who wait.
    var looks = 0
    let result = group.wait {
      looks += 1
      if looks == 2 { group.leave() }
      return looks < 2 ? 1 : 0
    }
    #expect(result == .success)
  }

  @Test("Tasks wait until the count is zero")
  func tasksWaitUntilTheCountIsZero() async throws {
    let group = WorkGroup()
    try await group.completion()
    let log = EventLog()
    for _ in 0..<50 { group.enter() }
    try await withThrowingTaskGroup { tasks in
      for _ in 0..<20 {
        tasks.addTask {
          try await group.completion()
          #expect(log.events.count == 50)
        }
      }
      for _ in 0..<50 {
        tasks.addTask {
          log.note("left")
          group.leave()
        }
      }
      try await tasks.waitForAll()
    }
    try await group.completion()
  }

  @Test("A cancelled wait of a task leaves the others and the handlers waiting (S86, S230)")
  func aCancelledWaitLeavesTheOthers() async throws {
    let group = WorkGroup()
    group.enter()
    let log = EventLog()
    let tasks = (0..<3).map { _ in Task.immediate { try await group.completion() } }
    group.notify(queue: queue) { log.note("notified") }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(queue.sync { log.events.isEmpty })
    group.leave()
    try await tasks[0].value
    try await tasks[2].value
    queue.sync {}
    #expect(log.events == ["notified"])
  }

  @Test("Handlers run in order once the count is zero")
  func handlersRunInOrderOnceTheCountIsZero() {
    let group = WorkGroup()
    let done = WorkGroup()
    let seen = Mutex<[Int]>([])
    group.enter()
    for number in 0..<100 {
      done.enter()
      group.notify(queue: queue) {
        seen.withLock { $0.append(number) }
        done.leave()
      }
    }
    #expect(queue.sync { seen.withLock(\.isEmpty) })
    group.leave()
    done.wait()
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  @Test("A handler of an empty group is submitted at once")
  func aHandlerOfAnEmptyGroupIsSubmittedAtOnce() {
    let group = WorkGroup()
    let ran = Atomic<Bool>(false)
    group.notify(queue: queue) { ran.store(true, ordering: .relaxed) }
    #expect(queue.sync { ran.load(ordering: .relaxed) })
  }

  @Test("A group may be entered again by its handler")
  func aGroupMayBeEnteredAgainByItsHandler() {
    let group = WorkGroup()
    let rounds = Atomic<Int>(0)
    let done = WorkGroup()
    done.enter()
    @Sendable func round() {
      if rounds.add(1, ordering: .relaxed).newValue == 500 { return done.leave() }
      group.enter()
      group.notify(queue: queue, execute: round)
      group.leave()
    }
    round()
    done.wait()
  }

  /// The last to leave may be anywhere between its step of the word and its look at the waiters
  /// while others enter, wait and leave.
  @Test("Generations do not mix under load")
  func generationsDoNotMixUnderLoad() {
    let rounds = Tier.count(quick: 10_000, full: 1_000_000)
    let group = WorkGroup()
    let fired = Atomic<Int>(0)
    let early = Atomic<Int>(0)
    let all = WorkGroup()
    for producer in 0..<3 {
      WorkQueue(label: "producer \(producer)").async(group: all) {
        // How often this producer has left; a handler must not run before its producer's leave.
        let left = LeaveCounter()
        for round in 0..<rounds {
          group.enter()
          all.enter()
          group.notify(queue: WorkQueue.global()) {
            if left.count.load(ordering: .relaxed) <= round { early.add(1, ordering: .relaxed) }
            fired.add(1, ordering: .relaxed)
            all.leave()
          }
          left.count.add(1, ordering: .relaxed)
          group.leave()
        }
      }
    }
    all.wait()
    #expect(fired.load(ordering: .relaxed) == 3 * rounds)
    #expect(early.load(ordering: .relaxed) == 0)
  }

  @Test("Captured objects are released before a closure leaves the group")
  func whatAClosureHoldsIsGoneWhenItLeavesTheGroup() {
    final class Token: Sendable {}
    for _ in 0..<200 {
      let group = WorkGroup()
      var token: Token? = Token()
      weak let watched = token
      queue.async(group: group) { [token] in _ = token }
      token = nil
      group.wait()
      #expect(watched == nil)
    }
  }
}

private final class LeaveCounter: Sendable {
  let count = Atomic<Int>(0)
}

@Suite("Group word")
struct GroupWordTests {
  /// Compares all histories of eight steps with a plain model.
  @Test("Random calls follow a plain model")
  func followsAPlainModel() {
    struct Model: Equatable {
      var count: UInt64 = 0
      var waits = false
      var generation: UInt32 = 0
    }
    func explore(_ word: GroupWord, _ model: Model, depth: Int) {
      #expect(word.count == model.count)
      #expect(word.hasWaiters == model.waits)
      #expect(word.generation == model.generation)
      #expect((word.awaited == nil) == (model.count == 0))
      guard depth > 0 else { return }
      var entered = model
      entered.count += 1
      explore(word.entered, entered, depth: depth - 1)
      guard model.count > 0 else { return }
      var awaited = model
      awaited.waits = true
      if let next = word.awaited { explore(next, awaited, depth: depth - 1) }
      var left = model
      left.count -= 1
      let releases = left.count == 0 && left.waits
      if releases { left = Model(generation: model.generation &+ 1) }
      #expect(word.left.releases == releases)
      explore(word.left.next, left, depth: depth - 1)
    }
    explore(GroupWord(), Model(), depth: 8)
    let last = Model(generation: .max)
    explore(GroupWord(bits: UInt64(UInt32.max) << 32), last, depth: 5)
  }
}
