import QueueRuntime
import Synchronization
import IOChannelsSystem

/// Carries requests out on one io_uring, driven by one thread.
///
/// Any thread leaves messages in a list; the ring's thread takes them, hands all that is ready to
/// the kernel in one call, and in the same call waits for answers. A descriptor that the ring
/// reads wakes it when it sleeps. The thread runs no code of users and lives until the backend is
/// stopped, else as long as the process.
final class RingBackend: EndingBackend {
  enum Message {
    case submit(Request)
    case cancel(Request)
    /// Tells which requests the kernel has had for long.
    case report(StuckInquiry)
    /// Takes no more requests and cancels all.
    case stop
    /// Ends towards their owners what the kernel does not give back.
    case giveUp
  }

  /// A ring on its way to its thread.
  private final class Handover: @unchecked Sendable {
    var ring: Ring?

    init(_ ring: consuming Ring) {
      self.ring = consume ring
    }
  }

  private let inbox = ManyToOneList<Message>()
  private let wakeup: WakeupDescriptor
  private let sleep: PatientSleep
  private let threads: ThreadBackend
  private let statistics: Statistics
  /// Whether the thread has taken its last look at the list.
  private let isOver = Atomic<Bool>(false)
  /// Holds one until a stop has come to its end.
  private let life = WorkGroup()
  private let stuck = Atomic<Int>(0)

  /// Makes a ring and starts its thread.
  ///
  /// What the ring turns out not to be able to do goes to `threads`. `refuses` is asked before the
  /// kernel is entered; tests let it refuse requests with it.
  init(
    threads: ThreadBackend,
    statistics: Statistics,
    refuses: (@Sendable () -> SystemError?)? = nil
  ) throws(SystemError) {
    wakeup = try WakeupDescriptor()
    sleep = try PatientSleep()
    self.threads = threads
    self.statistics = statistics
    life.enter()
    let handover = Handover(try Ring())
    try PlatformThread.start(name: "iochannels-ring") { [self] in
      serve(handover, refuses)
      finish()
    }
  }

  /// Serves until a stop; the ring is closed when this returns.
  private func serve(_ handover: Handover, _ refuses: (@Sendable () -> SystemError?)?) {
    guard let ring = handover.ring.take() else { return }
    let loop = RingLoop(ring: ring, threads: threads, statistics: statistics, refuses: refuses)
    loop.run(for: self)
  }

  /// Leaves the list to the senders.
  private func finish() {
    isOver.store(true, ordering: .releasing)
    forwardAll()
    if stuck.load(ordering: .relaxed) == 0 { life.leave() }
  }

  func submit(_ request: Request) {
    send(.submit(request))
  }

  func cancel(_ request: Request) {
    request.isCancelled.store(true, ordering: .releasing)
    send(.cancel(request))
  }

  private func send(_ message: consuming Message) {
    let device = message.patientDevice
    let isFirst = inbox.add(message)
    if sleep.serves(device) { return }
    // Only the first message of a list that nobody holds needs to wake the thread.
    if !isFirst { return }
    // It has let go of the list for the last time before the sender could find it free.
    if isOver.load(ordering: .acquiring) { forwardAll() } else { wakeup.signal() }
  }

  /// Gives to the threads what comes when the ring is no more; only the list's holder may call it.
  private func forwardAll() {
    repeat {
      while let message = inbox.takeFirst() { forward(message) }
    } while !inbox.release()
  }

  func forward(_ message: Message) {
    switch message {
    case .submit(let request): threads.submit(request)
    case .cancel(let request): threads.cancel(request)
    case .report(let inquiry): inquiry.answer([])
    case .stop, .giveUp: break
    }
  }

  /// Asks the ring's thread for the requests that the kernel has had since `start` or longer; nil
  /// when it does not answer within a second.
  func stuck(before start: Int64) -> [StuckRequests.Entry]? {
    let inquiry = StuckInquiry(before: start)
    send(.report(inquiry))
    return inquiry.wait(until: .now() + .seconds(1))
  }

  func stop() {
    send(.stop)
  }

  func settle(until deadline: Deadline) -> Int {
    if life.wait(timeout: deadline) == .success { return stuck.load(ordering: .acquiring) }
    send(.giveUp)
    // The thread itself may hang in the kernel, and then nobody knows how many requests do.
    if life.wait(timeout: .now() + .seconds(1)) == .timedOut { return 1 }
    return stuck.load(ordering: .acquiring)
  }
}

/// The side of the backend that the ring's thread uses; it holds the list while it is awake.
extension RingBackend {
  var wakeupDescriptor: BorrowedDescriptor { wakeup.borrowed }
  var alarmDescriptor: BorrowedDescriptor { sleep.alarmDescriptor }

  /// Takes hold of the list for the first time.
  func begin() {
    hold()
  }

  /// Takes the oldest message.
  func nextMessage() -> Message? {
    inbox.takeFirst()
  }

  /// Runs `body` while senders know that they must wake the thread, but not for writes that workers
  /// make on `patientDevice`.
  ///
  /// It is told whether there is really nothing to do.
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

  /// Notes that the kernel keeps some requests, perhaps for ever.
  func gaveUp(_ count: Int) {
    guard count > 0, stuck.exchange(count, ordering: .acquiringAndReleasing) == 0 else { return }
    life.leave()
  }

  /// Makes the reads of the wake-up and of the alarm end.
  func wakeSelf() {
    wakeup.signal()
    sleep.ring()
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
