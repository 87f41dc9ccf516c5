import QueueRuntime
import Synchronization
import IOChannelsSystem

/// Waits for pipes, sockets and terminals on one thread, which starts with the first of them.
///
/// Each wait has a duplicate of its descriptor, because the kernel's list knows an open file only
/// once for each number, and several requests may wait for the same one.
final class ReadinessWaiter: Sendable {
  /// What came of a wait.
  enum Outcome: Sendable {
    /// The descriptor is ready, failed or lost its peer, or the wait was cancelled.
    case over
    /// The kernel tells nothing of such a descriptor.
    case impossible
    /// The system has no descriptor or thread left.
    case failed(SystemError)
  }

  /// Goes on with the request; called on a thread of the pool.
  typealias Resumption = @Sendable (Outcome) -> Void

  /// A wait, and the job that follows its end.
  ///
  /// `@unchecked Sendable` because whoever takes it out of the state changes it alone. The job
  /// empties it, so that the last reference to the request is not that of the waiting thread.
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
    /// What the thread waits on, from the first wait on.
    var queue: SharedQueue?
    var isClosed = false
  }

  /// More waits than a process may have descriptors cannot be.
  private static let waitLimit = 1 << 20
  /// The name of the bell among those of waits, which have no top bit.
  private static let bellToken = UInt64.max

  private let state = BargingLock(State())
  private let pool: BlockingPool
  private let startThread: ThreadStart

  /// Starts a thread of a name, or says why not.
  typealias ThreadStart =
    @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

  /// Makes a waiter whose requests go on in a pool.
  init(
    pool: BlockingPool,
    startThread: @escaping ThreadStart = { (name, body) throws(SystemError) in
      try PlatformThread.start(name: name, body: body)
    }
  ) {
    self.pool = pool
    self.startThread = startThread
  }

  /// The kernel's list, shared with the waiting thread, and the bell that ends the thread.
  private final class SharedQueue: Sendable {
    let list: ReadinessQueue
    let bell: WakeupDescriptor

    init() throws(SystemError) {
      list = try ReadinessQueue()
      bell = try WakeupDescriptor()
      try list.add(bell.borrowed, forReading: true, token: ReadinessWaiter.bellToken)
    }
  }

  /// Has `resume` called once, when the request's descriptor is ready, failed or lost its peer, or
  /// before this returns when that cannot be found out.
  func wait(for request: Request, resume: @escaping Resumption) {
    do throws(SystemError) {
      let queue = try openQueue()
      let duplicate = BorrowedDescriptor(rawValue: try request.descriptor.duplicate().release())
      let wait = Wait(request: request, duplicate: duplicate, queue: queue, resume: resume)
      try add(wait, for: request, to: queue)
    } catch {
      // `EPERM` says that the kernel does not know when such a file makes anyone wait.
      resume(error == .notPermitted ? .impossible : .failed(error))
    }
  }

  /// Ends the wait of a request early.
  ///
  /// Nothing happens when the request does not wait.
  func cancel(_ request: Request) {
    let wait = state.withLock { state -> Wait? in
      guard let slot = request.waitSlot, state.waits[slot]?.request === request else { return nil }
      return state.waits.remove(slot)
    }
    if let wait { pool.submit(wait, qos: request.priority) }
  }

  /// Ends the thread; nobody may wait any more.
  func close() {
    let queue = state.withLock { state -> SharedQueue? in
      state.isClosed = true
      return state.queue.take()
    }
    queue?.bell.signal()
  }

  private func add(
    _ wait: Wait,
    for request: Request,
    to queue: SharedQueue
  ) throws(SystemError) {
    // The kernel learns of the duplicate under the lock: a cancellation in between would close it,
    // and the number would be a stranger's.
    let entered = state.withLock { state -> Result<SlotID, SystemError> in
      guard let slot = state.waits.insert(wait) else { return .failure(.tooManyOpenFiles) }
      do throws(SystemError) {
        try queue.list.add(
          wait.duplicate,
          forReading: request.direction == .read,
          // It stays in the list until a thread of the pool takes it out.
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
    // A cancellation may have come before the wait was entered.
    if request.isCancelled.load(ordering: .acquiring) { cancel(request) }
  }

  /// The list, with its thread.
  private func openQueue() throws(SystemError) -> SharedQueue {
    let opened = state.withLock { state -> Result<SharedQueue, SystemError> in
      if let queue = state.queue { return .success(queue) }
      if state.isClosed { return .failure(.canceled) }
      let queue: SharedQueue
      do throws(SystemError) { queue = try SharedQueue() } catch { return .failure(error) }
      do throws(SystemError) {
        try startThread("iochannels-poll") { [self] in serve(queue) }
      } catch {
        // `EAGAIN` would look as if a transfer had to wait, and the `EPERM` of a filter as if the
        // kernel could not tell when the descriptor is ready.
        return .failure(.noMemory)
      }
      state.queue = queue
      return .success(queue)
    }
    return try opened.get()
  }

  private func serve(_ queue: SharedQueue) {
    while let event = try? queue.list.next(), event.token != Self.bellToken {
      let slot = SlotID(token: event.token)
      guard let wait = state.withLock({ $0.waits.remove(slot) }) else { continue }
      pool.submit(wait, qos: wait.priority)
    }
  }
}
