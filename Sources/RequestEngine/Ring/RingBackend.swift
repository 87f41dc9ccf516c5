import QueueRuntime
import Synchronization
import SystemCalls

/// Carries requests out on one io_uring, driven by one thread.
///
/// Any thread leaves messages in a list; the ring's thread takes them, hands all that is ready to
/// the kernel in one call, and in the same call waits for answers. A descriptor that the ring
/// reads wakes it when it sleeps. The thread runs no code of users and lives as long as the
/// process.
final class RingBackend: Backend {
  enum Message {
    case submit(Request)
    case cancel(Request)
  }

  private let inbox = ManyToOneList<Message>()
  private let wakeup: WakeupDescriptor

  /// Makes a ring and starts its thread.
  ///
  /// What the ring turns out not to be able to do goes to `threads`.
  init(threads: ThreadBackend, statistics: Statistics) throws(Errno) {
    wakeup = try WakeupDescriptor()
    let loop = RingLoop(ring: try Ring(), threads: threads, statistics: statistics)
    try PlatformThread.start(name: "iochannels-ring") { [self] in loop.run(for: self) }
  }

  func submit(_ request: Request) {
    send(.submit(request))
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    send(.cancel(request))
  }

  private func send(_ message: consuming Message) {
    // Only the first message of a list that nobody holds needs to wake the thread.
    if inbox.add(message) { wakeup.signal() }
  }
}

/// The side of the backend that the ring's thread uses; it holds the list while it is awake.
extension RingBackend {
  var wakeupDescriptor: BorrowedDescriptor { wakeup.borrowed }

  /// Takes hold of the list for the first time.
  func begin() {
    hold()
  }

  /// Takes the oldest message.
  func nextMessage() -> Message? {
    inbox.takeFirst()
  }

  /// Runs `body` while senders know that they must wake the thread.
  ///
  /// It is told whether there is really nothing to do.
  func asleep<R>(_ body: (_ isIdle: Bool) throws(Errno) -> R) throws(Errno) -> R {
    let isIdle = inbox.release()
    defer { if isIdle { hold() } }
    return try body(isIdle)
  }

  /// Waits until a sender has left a message.
  func waitForMessage() {
    guard inbox.release() else { return }
    wakeup.wait()
    hold()
  }

  /// It fails when a sender was first, who holds the list on our behalf.
  private func hold() {
    _ = inbox.hold()
  }
}
