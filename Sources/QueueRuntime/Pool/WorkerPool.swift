internal import Synchronization
internal import SystemCalls

/// Something a pool's worker runs once for each time it was submitted.
package protocol PoolJob: AnyObject, Sendable {
  /// Does the work, on a thread of the pool.
  func run()
}

/// Threads that run jobs in the order in which they were submitted.
///
/// Threads start when a job waits and nobody is free, wait in the order last parked, first called,
/// and end after 5 seconds without work. `PoolState` says how many there are. The jobs that wait
/// have no bound of their own: a queue waits here at most once, and other submitters count theirs.
///
/// When no thread at all can be started, the submitting thread runs the jobs that wait before
/// `submit` returns: late and in a strange place is better than never. The pool tries again to
/// start threads at later submissions.
public final class WorkerPool: Sendable {
  /// Starts a thread of a name, or says why not.
  typealias ThreadStarter =
    @Sendable (String, @escaping @Sendable () -> Void) throws(Errno) -> Void

  /// The workers of all queues that name no other pool: one for each processor, and more, up to
  /// 255, while some are blocked.
  package static let shared = WorkerPool(
    name: "queue",
    width: min(ProcessorCount.usable, 255),
    maximum: 255
  )

  /// The workers that may be active at once while none is blocked.
  let width: Int

  private let name: String
  private let startThread: ThreadStarter
  private let state: BargingLock<PoolState<any PoolJob>>
  /// The number of jobs that wait, to be looked at without the lock.
  private let waiting = Atomic<Int>(0)
  private let seats: [WorkerSeat]
  private let idleTime: Int64

  /// Makes a pool without threads.
  ///
  /// - Parameters:
  ///   - name: The start of its threads' names; a number follows, and 15 bytes are kept.
  ///   - width: The workers that may be active at once while none is blocked, at least 1.
  ///   - maximum: The most threads at any time, at least `width`. If it is above `width` + 1, one
  ///     of them at times only watches for blocked workers.
  package convenience init(name: String, width: Int, maximum: Int) {
    self.init(
      name: name,
      width: width,
      maximum: maximum,
      startThread: PlatformThread.start(name:body:)
    )
  }

  /// Makes a pool that starts threads in another way, or ends them after another time, which is
  /// in nanoseconds.
  init(
    name: String,
    width: Int,
    maximum: Int,
    idleTime: Int64 = 5_000_000_000,
    startThread: @escaping ThreadStarter
  ) {
    self.width = width
    self.name = name
    self.idleTime = idleTime
    self.startThread = startThread
    state = BargingLock(PoolState(width: width, maximum: maximum))
    seats = (0..<maximum).map { _ in WorkerSeat() }
  }

  /// Whether a job waits; a job that works in turns gives its thread back then.
  package var hasWaitingJobs: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// The number of threads that the pool has now.
  package var threadCount: Int { state.withLock { $0.threads } }

  /// Adds a job behind all others.
  package func submit(_ job: any PoolJob, qos: WorkQueue.QoS.QoSClass = .default) {
    let call = update { $0.submit(job) }
    if let call { answer(call) }
  }

  /// Adds a closure behind all jobs.
  package func submit(_ body: @escaping @Sendable () -> Void) {
    submit(ClosureJob(body: body))
  }

  private func update<Answer>(
    _ change: (inout PoolState<any PoolJob>) -> sending Answer
  ) -> sending Answer {
    state.withLock { state in
      let answer = change(&state)
      waiting.store(state.waiting, ordering: .relaxed)
      return answer
    }
  }

  private func answer(_ call: PoolState<any PoolJob>.Call) {
    guard call.startsThread else {
      seats[call.worker].call(call.duty.rawValue)
      return
    }
    do {
      try startThread("\(name)-\(call.worker)") { self.serve(as: call.worker, first: call.duty) }
    } catch {
      if update({ $0.startFailed(call) }) { work(as: nil) }
    }
  }

  /// The life of one thread.
  private func serve(as worker: Int, first: PoolState<any PoolJob>.Duty) {
    let seat = seats[worker]
    seat.threadNumber.store(PlatformThread.currentNumber, ordering: .relaxed)
    var duty: PoolState<any PoolJob>.Duty? = first
    while let current = duty {
      switch current {
      case .work: work(as: worker)
      case .watch: watch(as: worker)
      }
      let called = seat.wait(idleTime: idleTime) { update { $0.expire(worker) } }
      duty = called.flatMap { .init(rawValue: $0) }
    }
  }

  /// Runs jobs until there is no need; nil stands for a submitter's thread.
  private func work(as worker: Int?) {
    // Whoever is called is counted as searching.
    var isSearching = worker != nil
    while true {
      switch update({ $0.step(for: worker, wasSearching: isSearching) }) {
      case .run(let job, let call):
        if let call { answer(call) }
        isSearching = false
        run(job, as: worker)
      case .search:
        search()
        isSearching = true
      case .park(let call):
        if let call { answer(call) }
        return
      }
    }
  }

  private func run(_ job: any PoolJob, as worker: Int?) {
    guard let worker else { return job.run() }
    let seat = seats[worker]
    seat.isWorking.store(true, ordering: .relaxed)
    job.run()
    seat.isWorking.store(false, ordering: .relaxed)
  }

  /// Waits for a job without giving up the processor: a few microseconds, which is less than
  /// parking and waking cost together.
  private func search() {
    for _ in 0..<128 {
      if hasWaitingJobs { return }
      spinHint()
    }
  }

  /// Looks which active workers are blocked, until no job waits.
  private func watch(as worker: Int) {
    var pause: Int64 = 1
    while true {
      seats[worker].rest(milliseconds: pause)
      let blocked = seats.count { $0.isBlocked }
      switch update({ $0.observe(blocked: blocked, by: worker) }) {
      case .raised(let calls):
        calls.forEach(answer)
        pause = 1
      case .unchanged:
        pause = min(16, pause * 2)
      case .park:
        return
      }
    }
  }
}

private final class ClosureJob: PoolJob {
  private let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  func run() { body() }
}
