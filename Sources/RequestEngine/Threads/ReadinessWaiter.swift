import QueueRuntime
import Synchronization
import SystemCalls

/// Waits for pipes, sockets and terminals on one thread, which starts with the first of them.
///
/// Each wait has a duplicate of its descriptor, because the kernel's list knows an open file only
/// once for each number, and several requests may wait for the same one.
final class ReadinessWaiter: Sendable {
  /// Goes on when the descriptor is ready, or ends the request when that cannot be found out.
  typealias Resumption = @Sendable (Errno?) -> Void

  private struct Wait {
    let request: Request
    let duplicate: BorrowedDescriptor
    let resume: Resumption
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

  /// The kernel's list, shared with the waiting thread, and the bell that ends the thread.
  private final class SharedQueue: Sendable {
    let list: ReadinessQueue
    let bell: WakeupDescriptor

    init() throws(Errno) {
      list = try ReadinessQueue()
      bell = try WakeupDescriptor()
      try list.add(bell.borrowed, forReading: true, token: ReadinessWaiter.bellToken)
    }
  }

  /// Calls `resume` once when the request's descriptor is ready, failed or lost its peer, or with
  /// an error when the system has no descriptor or thread left.
  func wait(for request: Request, resume: @escaping Resumption) {
    do throws(Errno) {
      let queue = try openQueue()
      let duplicate = BorrowedDescriptor(rawValue: try request.descriptor.duplicate().release())
      try add(Wait(request: request, duplicate: duplicate, resume: resume), to: queue)
    } catch {
      resume(error)
    }
  }

  /// Ends the wait of a request early: `resume` is called at once.
  ///
  /// Nothing happens when the request does not wait.
  func cancel(_ request: Request) {
    let found = state.withLock { state -> (Wait, SharedQueue?)? in
      guard let slot = request.waitSlot, state.waits[slot]?.request === request else { return nil }
      return state.waits.remove(slot).map { ($0, state.queue) }
    }
    if let (wait, queue) = found { finish(wait, queue) }
  }

  /// Ends the thread; nobody may wait any more.
  func close() {
    let queue = state.withLock { state -> SharedQueue? in
      state.isClosed = true
      return state.queue.take()
    }
    queue?.bell.signal()
  }

  private func add(_ wait: Wait, to queue: SharedQueue) throws(Errno) {
    // The kernel learns of the duplicate under the lock: a cancellation in between would close it,
    // and the number would be a stranger's.
    let entered = state.withLock { state -> Result<SlotID, Errno> in
      guard let slot = state.waits.insert(wait) else { return .failure(.tooManyOpenFiles) }
      do throws(Errno) {
        try queue.list.add(
          wait.duplicate,
          forReading: wait.request.direction == .read,
          token: slot.token
        )
      } catch {
        _ = state.waits.remove(slot)
        return .failure(error)
      }
      wait.request.waitSlot = slot
      return .success(slot)
    }
    let slot: SlotID
    do throws(Errno) {
      slot = try entered.get()
    } catch {
      _ = FileDescriptor(owning: wait.duplicate.rawValue)
      // `EPERM` says that such a file never makes anyone wait.
      if error != .notPermitted { throw error }
      wait.resume(nil)
      return
    }
    // A cancellation may have come before the wait was entered.
    if wait.request.isCancelled.load(ordering: .acquiring), let wait = take(slot) {
      finish(wait, queue)
    }
  }

  private func take(_ slot: SlotID) -> Wait? {
    state.withLock { $0.waits.remove(slot) }
  }

  private func finish(_ wait: Wait, _ queue: SharedQueue?) {
    queue?.list.remove(wait.duplicate)
    _ = FileDescriptor(owning: wait.duplicate.rawValue)
    wait.resume(nil)
  }

  /// The list, with its thread.
  private func openQueue() throws(Errno) -> SharedQueue {
    let opened = state.withLock { state -> Result<SharedQueue, Errno> in
      if let queue = state.queue { return .success(queue) }
      if state.isClosed { return .failure(.canceled) }
      do throws(Errno) {
        let queue = try SharedQueue()
        try PlatformThread.start(name: "iochannels-poll") { [self] in serve(queue) }
        state.queue = queue
        return .success(queue)
      } catch {
        return .failure(error)
      }
    }
    return try opened.get()
  }

  private func serve(_ queue: SharedQueue) {
    while let event = try? queue.list.next(), event.token != Self.bellToken {
      if let wait = take(SlotID(token: event.token)) { finish(wait, queue) }
    }
  }
}
