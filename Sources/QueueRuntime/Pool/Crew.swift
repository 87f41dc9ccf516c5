internal import Synchronization
internal import IOChannelsLocks
internal import IOChannelsSystem

/// A group of a pool's threads with the same scheduling priority, and the jobs that wait for them.
///
/// The threads keep their crew, not the pool. A pool that is released closes its crews, whose
/// threads end when they have run all waiting jobs.
final class Crew: Sendable {
  typealias State = PoolState<any PoolJob>

  let kind: CrewKind
  let maximum: Int
  let state: BargingLock<State>
  let seats: [WorkerSeat]
  let means: CrewMeans
  /// The source of a crew of the same pool that has threads, for use when this one gets none.
  let neighbour: @Sendable () -> Crew?
  private let poolName: String
  /// The number of waiting jobs, for reads without the lock.
  private let waiting = Atomic<Int>(0)
  /// Whether there is a job for every thread, for reads without the lock.
  private let full = Atomic<Bool>(false)
  /// Whether submitters run the jobs themselves because no thread could be started.
  let isWithoutThreads = Atomic<Bool>(false)

  init(
    _ kind: CrewKind,
    poolName: String,
    width: Int,
    maximum: Int,
    means: CrewMeans,
    neighbour: @escaping @Sendable () -> Crew?
  ) {
    self.kind = kind
    self.poolName = poolName
    self.maximum = maximum
    self.means = means
    self.neighbour = neighbour
    state = BargingLock(PoolState(width: width, maximum: maximum, bands: kind.bands))
    seats = (0..<maximum).map { _ in WorkerSeat() }
  }

  /// Whether a job waits, read without the lock and therefore approximate.
  var hasWaitingJobs: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Whether no thread is available for a further job, read without the lock and therefore
  /// approximate.
  var isFull: Bool { full.load(ordering: .relaxed) }

  /// Adds a job after all others of its band.
  func submit(_ job: any PoolJob, band: Int) {
    let call = update { $0.submit(job, band: band) }
    if let call { answer(call) }
  }

  /// Adds a job after all others of its band unless there is a job for every thread.
  ///
  /// - Returns: Whether it was added.
  func submitUnlessFull(_ job: any PoolJob, band: Int) -> Bool {
    let (isAdded, call) = update { state -> (Bool, State.Call?) in
      state.isFull ? (false, nil) : (true, state.submit(job, band: band))
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
      guard call.startsThread else { return seats[call.worker].call(call.duty.rawValue) }
      do {
        let name = kind.threadName(pool: poolName, worker: call.worker)
        return try means.startThread(name) { self.serve(as: call.worker, first: call.duty) }
      } catch {
        next = replacement(for: call, attempt: attempt)
        attempt += 1
      }
    }
  }

  /// Runs one thread from its start to its end.
  private func serve(as worker: Int, first: State.Duty) {
    if means.runsUserCode { PlatformThread.prepareForUserCode() }
    kind.takePlace()
    update { $0.threadArrived() }
    isWithoutThreads.store(false, ordering: .relaxed)
    let seat = seats[worker]
    seat.threadNumber.store(PlatformThread.currentNumber, ordering: .relaxed)
    var duty: State.Duty? = first
    while let current = duty {
      let ends =
        switch current {
        case .work: work(as: worker)
        case .watch: watch(as: worker)
        case .end: true
        }
      if ends { return }
      let called = seat.wait(idleTime: means.idleTime) { update { $0.expire(worker) } }
      duty = called.flatMap { .init(rawValue: $0) }
    }
  }
}
