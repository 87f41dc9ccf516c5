internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// The worker threads of a pool that share a scheduling priority, with their run queue.
///
/// The threads keep their worker group, not the pool. A pool that is released closes its worker
/// groups, whose threads end when they have run all waiting jobs.
final class WorkerGroup: Sendable {
  typealias State = PoolState<any PoolJob>

  let kind: WorkerGroupKind
  let maximum: Int
  let state: BargingLock<State>
  let slots: [ParkingSlot]
  let configuration: WorkerGroupConfiguration
  /// A function that returns a worker group of the same pool with threads, for use when this one
  /// gets none.
  let fallback: @Sendable () -> WorkerGroup?
  private let poolName: String
  /// The number of waiting jobs, for reads without the lock.
  private let waiting = Atomic<Int>(0)
  /// Whether there is a job for every thread, for reads without the lock.
  private let full = Atomic<Bool>(false)
  /// Whether submitters run the jobs themselves because no thread could be started.
  let isWithoutThreads = Atomic<Bool>(false)

  init(
    _ kind: WorkerGroupKind,
    poolName: String,
    width: Int,
    maximum: Int,
    configuration: WorkerGroupConfiguration,
    fallback: @escaping @Sendable () -> WorkerGroup?
  ) {
    self.kind = kind
    self.poolName = poolName
    self.maximum = maximum
    self.configuration = configuration
    self.fallback = fallback
    state = BargingLock(PoolState(width: width, maximum: maximum))
    slots = (0..<maximum).map { _ in ParkingSlot() }
  }

  /// Whether a job waits, read without the lock and therefore approximate.
  var hasWaitingJobs: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Whether no thread is available for a further job, read without the lock and therefore
  /// approximate.
  var isFull: Bool { full.load(ordering: .relaxed) }

  /// Adds a job after all others.
  func submit(_ job: any PoolJob) {
    let call = update { $0.submit(job) }
    if let call { answer(call) }
  }

  /// Adds a job after all others unless there is a job for every thread.
  ///
  /// - Returns: Whether it was added.
  func submitUnlessFull(_ job: any PoolJob) -> Bool {
    let (isAdded, call) = update { state -> (Bool, State.Call?) in
      state.isFull ? (false, nil) : (true, state.submit(job))
    }
    if let call { answer(call) }
    return isAdded
  }

  /// Ends the threads as soon as no job waits for them.
  func close() {
    let calls = update { $0.close() }
    calls.forEach(answer)
  }

  func update<Answer>(_ change: (inout State) -> sending Answer) -> sending Answer {
    state.withLock { state in
      let answer = change(&state)
      waiting.store(state.waiting, ordering: .relaxed)
      full.store(state.isFull, ordering: .relaxed)
      return answer
    }
  }

  /// Carries out a call: wakes the worker or starts its thread.
  func answer(_ call: State.Call) {
    var next: State.Call? = call
    var attempt = 0
    while let call = next {
      guard call.startsThread else { return slots[call.worker].call(call.duty.rawValue) }
      do {
        let name = kind.threadName(pool: poolName, worker: call.worker)
        return try configuration.startThread(name) { self.serve(as: call.worker, first: call.duty) }
      } catch {
        next = replacement(for: call, attempt: attempt)
        attempt += 1
      }
    }
  }

  /// Runs one thread from its start to its end.
  private func serve(as worker: Int, first: State.Duty) {
    if configuration.runsUserCode { PlatformThread.prepareForUserCode() }
    kind.applyPriority()
    update { $0.threadStarted() }
    isWithoutThreads.store(false, ordering: .relaxed)
    let slot = slots[worker]
    slot.threadNumber.store(PlatformThread.currentNumber, ordering: .relaxed)
    var duty: State.Duty? = first
    while let current = duty {
      let ends =
        switch current {
        case .work: work(as: worker)
        case .watch: watch(as: worker)
        case .end: true
        }
      if ends { return }
      let called = slot.wait(idleTime: configuration.idleTime) { update { $0.expire(worker) } }
      duty = called.flatMap { .init(rawValue: $0) }
    }
  }
}
