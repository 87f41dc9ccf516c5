import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A thread that waits for pipes, sockets and terminals, and starts at the first wait.
///
/// Each wait has a duplicate of its descriptor. `epoll` knows an open file only once for each
/// number, and several requests may wait for the same one.
final class ReadinessWaiter: Sendable {
  /// The outcome of a wait.
  enum Outcome: Sendable {
    /// The descriptor is ready, failed or lost its peer, or the wait was cancelled.
    case over
    /// The kernel does not report the readiness of such a descriptor.
    case impossible
    /// The system has no descriptor or thread left.
    case failed(SystemError)
  }

  /// A closure that continues the request, called on a thread of the pool.
  typealias Resumption = @Sendable (Outcome) -> Void

  /// A wait, and the job that runs at its end.
  ///
  /// It is `@unchecked Sendable` because only the thread that removes it from the state changes it.
  /// The job empties it, so that the waiting thread never releases the last reference to the
  /// request.
  private final class Wait: PoolJob, @unchecked Sendable {
    private(set) var request: Request?
    private var resume: Resumption?
    let duplicate: BorrowedDescriptor
    let priority: WorkQueue.QoS.QoSClass
    private let queue: SharedQueue

    init(
      request: Request,
      duplicate: BorrowedDescriptor,
      queue: SharedQueue,
      resume: @escaping Resumption
    ) {
      self.request = request
      self.duplicate = duplicate
      priority = request.priority
      self.queue = queue
      self.resume = resume
    }

    func run() {
      queue.list.remove(duplicate)
      _ = OwnedDescriptor(owning: duplicate.rawValue)
      request = nil
      resume.take()?(.over)
    }
  }

  private struct State {
    var waits = SlotTable<Wait>(capacity: waitLimit)
    /// The list on which the thread waits, created at the first wait.
    var queue: SharedQueue?
    var isClosed = false
  }

  /// The most waits, which exceeds the number of descriptors that a process may have.
  private static let waitLimit = 1 << 20
  /// The token of the wakeup descriptor, which differs from those of waits by the top bit.
  private static let wakeupToken = UInt64.max

  private let state = BargingLock(State())
  private let pool: BlockingPool
  private let startThread: ThreadStart

  /// A function that starts a named thread or throws the error.
  typealias ThreadStart =
    @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

  /// Creates a waiter whose requests continue in a pool.
  init(
    pool: BlockingPool,
    startThread: @escaping ThreadStart = { (name, body) throws(SystemError) in
      try PlatformThread.start(name: name, body: body)
    }
  ) {
    self.pool = pool
    self.startThread = startThread
  }

  /// The `epoll` list, shared with the waiting thread, and the descriptor that
  /// ends the thread.
  private final class SharedQueue: Sendable {
    let list: ReadinessQueue
    let wakeup: WakeupDescriptor

    init() throws(SystemError) {
      list = try ReadinessQueue()
      wakeup = try WakeupDescriptor()
      try list.add(wakeup.borrowed, forReading: true, token: ReadinessWaiter.wakeupToken)
    }
  }

  /// The number of requests that wait.
  var count: Int { state.withLock { $0.waits.count } }

  /// Calls `resume` once, when the descriptor is ready, failed or lost its peer.
  ///
  /// If the kernel cannot report that, `resume` is called before this returns.
  func wait(for request: Request, resume: @escaping Resumption) {
    do throws(SystemError) {
      let queue = try openQueue()
      let duplicate = BorrowedDescriptor(rawValue: try request.descriptor.duplicate().release())
      let wait = Wait(request: request, duplicate: duplicate, queue: queue, resume: resume)
      try add(wait, for: request, to: queue)
    } catch {
      // `EPERM` means that the kernel does not report readiness for such a file.
      resume(error == .notPermitted ? .impossible : .failed(error))
    }
  }

  /// Ends the wait of a request early.
  ///
  /// It has no effect if the request does not wait.
  func cancel(_ request: Request) {
    let wait = state.withLock { state -> Wait? in
      guard let slot = request.waitSlot, state.waits[slot]?.request === request else { return nil }
      return state.waits.remove(slot)
    }
    if let wait { pool.submit(wait, qos: request.priority) }
  }

  /// Ends the thread, after which no request may wait.
  func close() {
    let queue = state.withLock { state -> SharedQueue? in
      state.isClosed = true
      return state.queue.take()
    }
    queue?.wakeup.signal()
  }

  private func add(
    _ wait: Wait,
    for request: Request,
    to queue: SharedQueue
  ) throws(SystemError) {
    // The duplicate is added to the list under the lock. A cancellation in between would close it,
    // and the number could then belong to another file.
    let entered = state.withLock { state -> Result<SlotID, SystemError> in
      guard let slot = state.waits.insert(wait) else { return .failure(.tooManyOpenFiles) }
      do throws(SystemError) {
        try queue.list.add(
          wait.duplicate,
          forReading: request.direction == .read,
          // The descriptor stays in the list until a thread of the pool removes it.
          once: true,
          token: slot.token
        )
      } catch {
        _ = state.waits.remove(slot)
        return .failure(error)
      }
      request.waitSlot = slot
      return .success(slot)
    }
    do throws(SystemError) {
      _ = try entered.get()
    } catch {
      _ = OwnedDescriptor(owning: wait.duplicate.rawValue)
      throw error
    }
    // A cancellation may have come before the wait was added.
    if request.isCancelled.load(ordering: .acquiring) { cancel(request) }
  }

  /// Returns the list, and creates it with its thread at the first call.
  private func openQueue() throws(SystemError) -> SharedQueue {
    let opened = state.withLock { state -> Result<SharedQueue, SystemError> in
      if let queue = state.queue { return .success(queue) }
      if state.isClosed { return .failure(.canceled) }
      let queue: SharedQueue
      do throws(SystemError) { queue = try SharedQueue() } catch { return .failure(error) }
      do throws(SystemError) {
        try startThread("iochannels-poll") { [self] in serve(queue) }
      } catch {
        // `EAGAIN` would mean that a transfer must wait, and the `EPERM` of a filter that the
        // kernel cannot report readiness.
        return .failure(.noMemory)
      }
      state.queue = queue
      return .success(queue)
    }
    return try opened.get()
  }

  private func serve(_ queue: SharedQueue) {
    while let event = try? queue.list.next(), event.token != Self.wakeupToken {
      let slot = SlotID(token: event.token)
      guard let wait = state.withLock({ $0.waits.remove(slot) }) else { continue }
      pool.submit(wait, qos: wait.priority)
    }
  }
}
