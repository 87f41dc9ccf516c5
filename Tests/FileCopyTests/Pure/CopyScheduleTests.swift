import Testing

@testable import FileCopy

/// What waits is done, last added first, and nobody sleeps through work or for ever.
@Suite("Schedule of a copy")
struct CopyScheduleTests {
  private typealias Schedule = CopySchedule<Int>

  private func task(_ step: Schedule.Step) -> Int? {
    if case .run(let task) = step { return task }
    return nil
  }

  private func isPark(_ step: Schedule.Step) -> Bool {
    if case .park = step { return true }
    return false
  }

  private func isLeave(_ step: Schedule.Step) -> Bool {
    if case .leave = step { return true }
    return false
  }

  @Test("One job never asks for a worker, and takes the last task first")
  func alone() {
    var schedule = Schedule(jobs: 1)
    #expect(!schedule.hasIdleThreads)
    for task in 1...3 { #expect(schedule.add(task) == .none) }
    var done: [Int] = []
    while let next = task(schedule.callerStep(after: .task).0) { done.append(next) }
    #expect(done == [3, 2, 1])
    #expect(schedule.running == 1)
  }

  @Test("A worker is asked for with the first task, up to the bound")
  func workers() {
    var schedule = Schedule(jobs: 3)
    #expect(schedule.hasIdleThreads)
    #expect(schedule.add(1) == .startWorker)
    #expect(schedule.add(2) == .startWorker)
    #expect(schedule.add(3) == .none)
    #expect(!schedule.hasIdleThreads)
    let begins = schedule.registerWorker()
    #expect(begins)
    #expect(task(schedule.workerStep(after: .task).0) == 3)
  }

  @Test("A worker that never comes delays no task")
  func workerThatNeverComes() {
    var schedule = Schedule(jobs: 2)
    _ = schedule.add(1)
    #expect(task(schedule.callerStep(after: .task).0) == 1)
    #expect(isLeave(schedule.callerStep(after: .task).0))
    #expect(schedule.close() == .wakeAll)
    #expect(schedule.workers == 0)
    let begins = schedule.registerWorker()
    #expect(!begins)
  }

  @Test("The calling thread sleeps while a worker is busy, and is woken by its end")
  func callerWaits() {
    var schedule = Schedule(jobs: 2)
    _ = schedule.add(1)
    _ = schedule.registerWorker()
    #expect(task(schedule.workerStep(after: .task).0) == 1)
    #expect(isPark(schedule.callerStep(after: .task).0))
    // A task that the worker adds wakes the caller.
    #expect(schedule.add(2) == .wakeOne)
    #expect(task(schedule.callerStep(after: .parked).0) == 2)
    #expect(isPark(schedule.callerStep(after: .task).0))
    let (step, action) = schedule.workerStep(after: .task)
    #expect(isPark(step))
    #expect(action == .wakeAll)
    // The worker itself wakes too and sleeps again without waking anybody.
    let (again, silence) = schedule.workerStep(after: .parked)
    #expect(isPark(again))
    #expect(silence == .none)
    #expect(isLeave(schedule.callerStep(after: .parked).0))
    #expect(schedule.hasIdleThreads)
  }

  @Test("Workers leave when the schedule is closed")
  func closing() {
    var schedule = Schedule(jobs: 2)
    _ = schedule.add(1)
    _ = schedule.registerWorker()
    _ = schedule.workerStep(after: .task)
    _ = schedule.workerStep(after: .task)
    #expect(schedule.close() == .wakeAll)
    #expect(isLeave(schedule.workerStep(after: .parked).0))
    #expect(schedule.workers == 1)
    #expect(schedule.unregisterWorker() == .wakeAll)
    #expect(schedule.workers == 0)
  }

  @Test("No more threads work than are allowed, and more are called when more are")
  func allowance() {
    var schedule = Schedule(jobs: 4)
    #expect(schedule.setRunningLimit(2) == .none)
    #expect(schedule.add(1) == .startWorker)
    #expect(schedule.add(2) == .none)
    #expect(!schedule.hasIdleThreads)
    let begins = schedule.registerWorker()
    #expect(begins)
    #expect(task(schedule.workerStep(after: .task).0) == 2)
    #expect(schedule.setRunningLimit(3) == .startWorker)
    let follows = schedule.registerWorker()
    #expect(follows)
    #expect(schedule.setRunningLimit(0) == .none, "one is the least")
    #expect(isPark(schedule.workerStep(after: .task).0), "others are enough")
    #expect(isPark(schedule.workerStep(after: .task).0))
    #expect(schedule.add(3) == .none)
    #expect(schedule.setRunningLimit(9) == .wakeAll)
    #expect(task(schedule.workerStep(after: .parked).0) == 3)
  }

  /// Every order of the steps of a caller and two workers, each task adding others, and of changes
  /// of what is allowed.
  @Test(
    "No order of steps loses a task or leaves a thread asleep",
    arguments: [[], [1], [2, 1], [1, 3], [1, 2, 3, 1]]
  )
  func exhaustive(allowed: [Int]) {
    var seen: Set<Model> = []
    explore(Model(changes: allowed), &seen)
    #expect(seen.count > 50)
  }

  @Test("As many tasks as processors, more while these are idle, fewer when they are not")
  func rule() {
    var rule = JobRule(processors: 2, most: 8)
    /// The number after a time in which so many hundredths of two processors were used.
    func count(_ share: Int64) -> Int {
      rule.note(used: share * 2, of: 100)
      return rule.count
    }
    #expect(rule.count == 2)
    #expect([20, 50, 50, 60, 60].map(count) == [4, 4, 8, 8, 8])
    // What was seen before counts, so that a moment does not.
    #expect([100, 100, 100, 100, 100].map(count) == [8, 8, 8, 8, 4])
    #expect([100, 100, 69, 69].map(count) == [2, 2, 2, 2])
    #expect(JobRule(processors: 16, most: 16).count == 16)
    var few = JobRule(processors: 16, most: 3)
    for share in [0, 16 * 100] {
      few.note(used: Int64(share), of: 100)
      #expect(few.count == 3)
    }
  }

  @Test("Tasks that leave the processors as idle as fewer do are given up for a while")
  func ruleWithoutGain() {
    var rule = JobRule(processors: 2, most: 8)
    func count(_ share: Int64) -> Int {
      rule.note(used: share * 2, of: 100)
      return rule.count
    }
    for pause in [16, 32, 64, 128, 128] {
      #expect([50, 55, 55].map(count) == [4, 4, 2])
      #expect((1..<pause).allSatisfy { _ in count(50) == 2 })
    }
    #expect(count(50) == 4)
  }

  private struct Model: Hashable {
    enum Thread: Hashable {
      case absent
      case working(Int)
      case asleep
      case woken
      case gone
    }

    var schedule = Schedule(jobs: 3)
    /// What is allowed in turn, each from some moment on.
    var changes: [Int]
    // The first is the caller, whose first task is to add the others.
    var threads: [Thread] = [.working(3), .absent, .absent]
    var done = 0
    var starting = 0

    mutating func follow(_ action: Schedule.Action) {
      switch action {
      case .none: break
      case .startWorker: starting += 1
      case .wakeOne:
        if let first = threads.firstIndex(of: .asleep) { threads[first] = .woken }
      case .wakeAll:
        for index in threads.indices where threads[index] == .asleep { threads[index] = .woken }
      }
    }

    /// Lets one thread go one step, or changes what is allowed.
    mutating func step(_ index: Int) {
      if index == threads.count { return follow(schedule.setRunningLimit(changes.removeFirst())) }
      var previous = Schedule.Previous.parked
      switch threads[index] {
      case .absent:
        starting -= 1
        guard schedule.registerWorker() else {
          threads[index] = .gone
          return
        }
        previous = .task
      case .working(let left) where left > 0:
        // A task worth 3 adds two worth 1.
        if left == 3 {
          threads[index] = .working(2)
        } else {
          threads[index] = .working(left == 2 ? 0 : left - 1)
        }
        if left != 1 { follow(schedule.add(1)) }
        return
      case .working:
        done += 1
        previous = .task
      case .woken: previous = .parked
      case .asleep, .gone: return
      }
      let (next, action) =
        index == 0 ? schedule.callerStep(after: previous) : schedule.workerStep(after: previous)
      follow(action)
      switch next {
      case .run(let task): threads[index] = .working(task)
      case .park: threads[index] = .asleep
      case .leave: threads[index] = .gone
      }
    }

    var movable: [Int] {
      threads.indices.filter { index in
        switch threads[index] {
        case .absent: starting > 0
        case .working, .woken: true
        case .asleep, .gone: false
        }
      } + (changes.isEmpty ? [] : [threads.count])
    }
  }

  /// Goes every way from a state that no other way has led to.
  private func explore(_ model: Model, _ seen: inout Set<Model>) {
    if !seen.insert(model).inserted { return }
    if model.threads[0] == .gone {
      #expect(model.done == 3)
      return
    }
    let movable = model.movable
    #expect(movable.contains { $0 < model.threads.count }, "everybody sleeps: \(model)")
    for index in movable {
      var next = model
      next.step(index)
      explore(next, &seen)
    }
  }
}
