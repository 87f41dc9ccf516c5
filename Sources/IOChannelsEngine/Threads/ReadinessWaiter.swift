import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// A thread that waits for pipes, sockets and terminals, and starts at the first wait.
///
/// The waits of all requests for one descriptor share its entry in an `epoll` list. So a wait needs
/// no further descriptor.
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
  fileprivate final class Wait: PoolJob, @unchecked Sendable {
    private(set) var request: Request?
    private var resume: Resumption?
    let direction: Direction
    let priority: WorkQueue.QoS.QoSClass
    /// The outcome, which is changed before the job is submitted.
    var outcome = Outcome.over

    init(request: Request, resume: @escaping Resumption) {
      self.request = request
      self.resume = resume
      direction = request.direction
      priority = request.priority
    }

    /// Makes waits end with the error of a closed descriptor.
    static func fail(_ waits: [Wait]) {
      for wait in waits { wait.outcome = .failed(.badFileDescriptor) }
    }

    func run() {
      request = nil
      resume.take()?(outcome)
    }
  }

  /// The entry of a descriptor in the list, and the waits for it.
  fileprivate struct Entry {
    let descriptor: BorrowedDescriptor
    var waits: [Wait]

    /// The states that the waits are for, besides those that the kernel always reports.
    var events: ReadinessEvents {
      waits.reduce(into: []) { $0.formUnion($1.direction.readiness) }
    }
  }

  fileprivate struct State {
    var entries = SlotTable<Entry>(capacity: entryLimit)
    var slots: [Int32: SlotID] = [:]
    var waitCount = 0
    /// The list on which the thread waits, created at the first wait.
    var queue: SharedQueue?
    var isClosed = false
  }

  /// The most entries, which exceeds the number of descriptors that a process may have.
  private static let entryLimit = 1 << 20
  /// The milliseconds from an event to the next examination of the entries, at most, and the
  /// longest time between two examinations.
  private static let (firstPause, longestPause): (Int64, Int64) = (1000, 64_000)
  /// The token of the wakeup descriptor, which differs from those of entries by the top bit.
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
  fileprivate final class SharedQueue: Sendable {
    let list: ReadinessQueue
    let wakeup: WakeupDescriptor

    init() throws(SystemError) {
      list = try ReadinessQueue()
      wakeup = try WakeupDescriptor()
      try list.add(wakeup.borrowed, for: .readable, token: ReadinessWaiter.wakeupToken)
    }
  }

  /// The number of requests that wait.
  var count: Int { state.withLock { $0.waitCount } }

  /// Calls `resume` once, when the descriptor is ready, failed or lost its peer.
  ///
  /// If the kernel cannot report that, `resume` is called before this returns.
  func wait(for request: Request, resume: @escaping Resumption) {
    do throws(SystemError) {
      let wait = Wait(request: request, resume: resume)
      // The list changes under the lock, in the order of the waits and their ends.
      let ended = try state.withLock { state in
        Result { () throws(SystemError) in
          let queue = try openQueue(&state)
          return try state.add(wait, for: request.descriptor, to: queue.list)
        }
      }.get()
      for wait in ended { pool.submit(wait, qos: wait.priority) }
    } catch {
      // `EPERM` means that the kernel does not report readiness for such a file.
      return resume(error == .notPermitted ? .impossible : .failed(error))
    }
    // A cancellation may have come before the wait was added.
    if request.isCancelled.load(ordering: .acquiring) { cancel(request) }
  }

  /// Ends the wait of a request early.
  ///
  /// It has no effect if the request does not wait.
  func cancel(_ request: Request) {
    let wait = state.withLock { $0.remove(waitOf: request) }
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

  /// Returns the list, and creates it with its thread at the first call.
  private func openQueue(_ state: inout State) throws(SystemError) -> SharedQueue {
    if let queue = state.queue { return queue }
    if state.isClosed { throw .canceled }
    let queue = try SharedQueue()
    do throws(SystemError) {
      try startThread("iochannels-poll") { [self] in serve(queue) }
    } catch {
      // `EAGAIN` would mean that a transfer must wait, and the `EPERM` of a filter that the kernel
      // cannot report readiness.
      throw .noMemory
    }
    state.queue = queue
    return queue
  }

  /// Reports the events of the list, and examines the entries from time to time.
  private func serve(_ queue: SharedQueue) {
    var pause = Self.firstPause
    var due = Self.now + pause
    do throws(SystemError) {
      while true {
        let event = try queue.list.next(within: Int32(max(due - Self.now, 0)))
        if event?.token == Self.wakeupToken { return }
        var ended: [Wait] = []
        if let event {
          ended = state.withLock { state in
            state.removeWaits(from: SlotID(token: event.token), in: event.states, queue.list)
          }
          pause = Self.firstPause
          due = min(due, Self.now + pause)
        }
        if Self.now >= due {
          ended += state.withLock { $0.removeClosed(from: queue.list) }
          pause = min(2 * pause, Self.longestPause)
          due = Self.now + pause
        }
        for wait in ended { pool.submit(wait, qos: wait.priority) }
      }
    } catch {
      // The program has closed the descriptor of the list.
    }
  }
}

extension ReadinessWaiter {
  /// The milliseconds since the system started.
  fileprivate static var now: Int64 { KernelClock.uptime.nanoseconds / 1_000_000 }
}

// MARK: - Entries

/// The changes of the list, which happen under the lock.
///
/// An entry is removed with its last wait. Its request may end then, and its owner may close the
/// descriptor, so that the number belongs to another file.
extension ReadinessWaiter.State {
  /// Adds a wait to the entry of its descriptor.
  ///
  /// - Returns: Waits that end, because the number has got another file since.
  fileprivate mutating func add(
    _ wait: ReadinessWaiter.Wait,
    for descriptor: BorrowedDescriptor,
    to list: borrowing ReadinessQueue
  ) throws(SystemError) -> [ReadinessWaiter.Wait] {
    var ended: [ReadinessWaiter.Wait] = []
    if let slot = slots[descriptor.rawValue], var entry = entries[slot] {
      entry.waits.append(wait)
      do throws(SystemError) {
        try list.rearm(descriptor, for: entry.events, token: slot.token)
      } catch .noSuchFileOrDirectory {
        ended = entry.waits.dropLast()
        entry.waits = [wait]
        try list.add(descriptor, for: entry.events, token: slot.token)
      }
      entries[slot] = entry
      ReadinessWaiter.Wait.fail(ended)
      waitCount -= ended.count
    } else {
      let entry = ReadinessWaiter.Entry(descriptor: descriptor, waits: [wait])
      guard let slot = entries.insert(entry) else { throw .tooManyOpenFiles }
      do throws(SystemError) {
        do throws(SystemError) {
          try list.add(descriptor, for: entry.events, token: slot.token)
        } catch .fileExists {
          // The number had another file when the last wait for this one ended.
          try list.rearm(descriptor, for: entry.events, token: slot.token)
        }
      } catch {
        _ = entries.remove(slot)
        throw error
      }
      slots[descriptor.rawValue] = slot
    }
    waitCount += 1
    return ended
  }

  /// Removes the wait of a request, if it waits.
  fileprivate mutating func remove(waitOf request: Request) -> ReadinessWaiter.Wait? {
    guard let slot = slots[request.descriptor.rawValue], var entry = entries[slot],
      let index = entry.waits.firstIndex(where: { $0.request === request })
    else { return nil }
    let wait = entry.waits.remove(at: index)
    waitCount -= 1
    // Events that only this wait was for are ignored.
    entries[slot] = entry
    if entry.waits.isEmpty, let queue { removeEntry(slot, from: queue.list) }
    return wait
  }

  /// Removes the waits that end because a descriptor is in some states.
  fileprivate mutating func removeWaits(
    from slot: SlotID,
    in states: ReadinessEvents,
    _ list: borrowing ReadinessQueue
  ) -> [ReadinessWaiter.Wait] {
    // An event of an entry that was removed may be reported late.
    guard var entry = entries[slot] else { return [] }
    var ended = entry.waits.filter { !$0.direction.ends.isDisjoint(with: states) }
    entry.waits.removeAll { !$0.direction.ends.isDisjoint(with: states) }
    do throws(SystemError) {
      if !entry.waits.isEmpty {
        try list.rearm(entry.descriptor, for: entry.events, token: slot.token)
      }
    } catch {
      // The program has closed the descriptor, whose number may have another file.
      ReadinessWaiter.Wait.fail(entry.waits)
      ended += entry.waits
      entry.waits = []
    }
    entries[slot] = entry
    waitCount -= ended.count
    if entry.waits.isEmpty { removeEntry(slot, from: list) }
    return ended
  }

  /// Removes the waits for descriptors that the program has closed.
  ///
  /// A file that is closed leaves the list without an event (F24).
  fileprivate mutating func removeClosed(
    from list: borrowing ReadinessQueue
  ) -> [ReadinessWaiter.Wait] {
    var ended: [ReadinessWaiter.Wait] = []
    for slot in Array(slots.values) { ended += removeWaits(from: slot, in: [], list) }
    return ended
  }

  private mutating func removeEntry(_ slot: SlotID, from list: borrowing ReadinessQueue) {
    guard let entry = entries.remove(slot) else { return }
    slots[entry.descriptor.rawValue] = nil
    list.remove(entry.descriptor)
  }
}

extension Direction {
  /// The state that a wait is for.
  fileprivate var readiness: ReadinessEvents { self == .read ? .readable : .writable }

  /// The states that end a wait.
  fileprivate var ends: ReadinessEvents { readiness.union([.failed, .hangUp]) }
}
