import QueueRuntime
import Synchronization
import SystemCalls

/// Waits for pipes, sockets and terminals on one thread, which starts with the first of them.
///
/// Each wait has a duplicate of its descriptor, because the kernel's list knows an open file only
/// once for each number, and several requests may wait for the same one.
final class ReadinessWaiter: Sendable {
  private struct Wait {
    let request: Request
    let duplicate: BorrowedDescriptor
    let resume: @Sendable () -> Void
  }

  private struct State {
    var waits = SlotTable<Wait>(capacity: waitLimit)
    var hasThread = false
  }

  /// More waits than a process may have descriptors cannot be.
  private static let waitLimit = 1 << 20

  private let state = BargingLock(State())
  private let queue: Result<SharedQueue, Errno>

  /// The kernel's list, shared with the waiting thread.
  private final class SharedQueue: Sendable {
    let list: ReadinessQueue

    init() throws(Errno) {
      list = try ReadinessQueue()
    }
  }

  init() {
    do throws(Errno) {
      queue = .success(try SharedQueue())
    } catch {
      queue = .failure(error)
    }
  }

  /// Calls `resume` once when the request's descriptor is ready, failed or lost its peer.
  ///
  /// The request ends with an error when the system has no descriptor or thread left.
  func wait(for request: Request, resume: @escaping @Sendable () -> Void) {
    do throws(Errno) {
      let queue = try queue.get()
      try startThread(queue)
      let duplicate = BorrowedDescriptor(rawValue: try request.descriptor.duplicate().release())
      try add(Wait(request: request, duplicate: duplicate, resume: resume), to: queue)
    } catch {
      request.end(.failure(error))
    }
  }

  /// Ends the wait of a request early: `resume` is called at once.
  ///
  /// Nothing happens when the request does not wait.
  func cancel(_ request: Request, resume: () -> Void) {
    let wait = state.withLock { state -> Wait? in
      guard let slot = request.waitSlot, state.waits[slot]?.request === request else { return nil }
      return state.waits.remove(slot)
    }
    guard let wait else { return }
    finish(wait)
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
      wait.resume()
      return
    }
    // A cancellation may have come before the wait was entered.
    if wait.request.isCancelled.load(ordering: .acquiring), let wait = take(slot) { finish(wait) }
  }

  private func take(_ slot: SlotID) -> Wait? {
    state.withLock { $0.waits.remove(slot) }
  }

  private func finish(_ wait: Wait) {
    if case .success(let queue) = queue { queue.list.remove(wait.duplicate) }
    _ = FileDescriptor(owning: wait.duplicate.rawValue)
    wait.resume()
  }

  private func startThread(_ queue: SharedQueue) throws(Errno) {
    let mustStart = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard mustStart else { return }
    do {
      try PlatformThread.start(name: "iochannels-poll") { [self] in
        while let event = try? queue.list.next() {
          if let wait = take(SlotID(token: event.token)) { finish(wait) }
        }
      }
    } catch {
      state.withLock { $0.hasThread = false }
      throw error
    }
  }
}
