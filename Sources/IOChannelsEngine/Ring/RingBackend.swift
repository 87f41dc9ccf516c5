import QueueRuntime
import Synchronization
import IOChannelsSystem

/// A backend that carries out requests on one io_uring, driven by one thread.
///
/// Any thread adds messages to a list. The ring's thread takes them. One system call then submits
/// all ready requests and waits for completions. A pending read of a descriptor wakes the sleeping
/// thread. The thread runs no code of users. It lives until the backend is stopped.
final class RingBackend: Backend {
  enum Message {
    case submit(Request)
    case cancel(Request)
    /// Reports the requests.
    case report(RingInquiry)
    /// Ends the thread after all requests. No request follows.
    case stop
  }

  /// The entry of any message but a submission, whose entry is the request itself.
  private final class MessageEntry: InboxEntry, @unchecked Sendable {
    let message: Message

    init(_ message: Message) {
      self.message = message
    }
  }

  /// The transfer of a ring to its thread.
  private final class RingTransfer: @unchecked Sendable {
    var ring: Ring?

    init(_ ring: consuming Ring) {
      self.ring = consume ring
    }
  }

  private let inbox = Inbox()
  private let wakeup: WakeupDescriptor
  private let sleep: PatientSleep
  private let threads: ThreadBackend
  private let statistics: Statistics

  /// Creates a ring and starts its thread.
  ///
  /// Requests that the ring turns out not to support go to `threads`. `refuses` is called before
  /// each system call of the ring, so that tests can make it fail.
  init(
    threads: ThreadBackend,
    statistics: Statistics,
    refuses: (@Sendable () -> SystemError?)? = nil
  ) throws(SystemError) {
    wakeup = try WakeupDescriptor()
    sleep = try PatientSleep()
    self.threads = threads
    self.statistics = statistics
    let transfer = RingTransfer(try Ring())
    try PlatformThread.start(name: "iochannels-ring") { [self] in
      serve(transfer, refuses)
    }
  }

  /// Serves until the backend is stopped, and then closes the ring.
  private func serve(_ transfer: RingTransfer, _ refuses: (@Sendable () -> SystemError?)?) {
    guard let ring = transfer.ring.take() else { return }
    let loop = RingLoop(ring: ring, threads: threads, statistics: statistics, refuses: refuses)
    loop.run(for: self)
  }

  func submit(_ request: Request) {
    send(request, device: request.patientDevice)
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    send(.cancel(request))
  }

  private func send(_ message: Message) {
    send(MessageEntry(message), device: 0)
  }

  /// Adds an entry to the inbox, and wakes the thread if necessary.
  ///
  /// The device is the one to whose writes the entry adds another one, 0 for none.
  private func send(_ entry: InboxEntry, device: UInt64) {
    let isFirst = inbox.add(entry)
    if sleep.serves(device) { return }
    // Only the first message in a list without a holder needs to wake the thread.
    if isFirst { wakeup.signal() }
  }

  /// Passes a message to the threads, after the ring was abandoned.
  func forward(_ message: Message) {
    switch message {
    case .submit(let request): threads.submit(request)
    case .cancel(let request): threads.cancel(request)
    case .report(let inquiry): inquiry.answer(RequestReport())
    case .stop: break
    }
  }

  /// Queries the ring's thread for its requests.
  ///
  /// A request counts as stuck if the kernel has had it since `start` or longer. The caller waits
  /// for the answer, which never arrives if the thread hangs in the kernel.
  func inquire(stuckBefore start: Int64) -> RingInquiry {
    let inquiry = RingInquiry(stuckBefore: start)
    send(.report(inquiry))
    return inquiry
  }

  func stop() {
    send(.stop)
  }
}

/// The members for the ring's thread, which holds the list while it is awake.
extension RingBackend {
  var wakeupDescriptor: BorrowedDescriptor { wakeup.borrowed }
  var alarmDescriptor: BorrowedDescriptor { sleep.alarmDescriptor }

  /// Takes the list for the first time.
  func begin() {
    hold()
  }

  /// Takes the oldest message.
  func nextMessage() -> Message? {
    guard let entry = inbox.takeFirst() else { return nil }
    if let request = entry as? Request { return .submit(request) }
    return (entry as? MessageEntry)?.message
  }

  /// Runs `body` while the thread must be woken by new messages.
  ///
  /// Writes that workers carry out on `patientDevice` do not wake it. `body` receives whether the
  /// list is empty.
  func asleep<R>(
    besides patientDevice: UInt64,
    _ body: (_ isIdle: Bool) throws(SystemError) -> R
  ) throws(SystemError) -> R {
    sleep.begin(besides: patientDevice)
    let isIdle = inbox.release()
    defer {
      sleep.end()
      if isIdle { hold() }
    }
    return try body(isIdle)
  }

  /// Completes the reads of the wakeup descriptor and of the alarm.
  func wakeSelf() {
    wakeup.signal()
    sleep.ring()
  }

  /// Waits until a sender has added a message.
  func waitForMessage() {
    guard inbox.release() else { return }
    wakeup.wait()
    hold()
  }

  /// Takes the list, which a sender may have done already on behalf of the thread.
  private func hold() {
    _ = inbox.hold()
  }
}
