import CIOChannelsURing
import CIOChannelsSystem
import DataRegions
import QueueRuntime
import IOChannelsSystem

/// An io_uring instance that one thread uses.
///
/// It is created disabled on any thread. The thread that will use it enables it, and only that
/// thread may call other members. Memory named in a request must stay until its completion, even
/// after the end of this value, because the kernel does not wait for requests when a ring is
/// closed.
@safe
struct Ring: ~Copyable {
  /// A completion of a request.
  struct Completion {
    let token: UInt64
    let result: Int32
  }

  /// The number of requests that one system call submits.
  static let submissionEntries: UInt32 = 256
  /// The longest wait for further completions once there is one, in microseconds.
  ///
  /// It is the time of a few writes of 1 MiB.
  private static let patience: UInt32 = 4_000
  /// The size of the completion queue, which also limits the requests in flight.
  static let completionEntries: UInt32 = 4096

  /// The structure of liburing, which contains pointers into itself and so must not move.
  private let ring: UnsafeMutablePointer<io_uring>
  /// The memory into which the kernel reads the counter of the wakeup descriptor.
  private let counter: UnsafeMutablePointer<UInt64>

  /// Creates a ring.
  ///
  /// - Throws: `ENOSYS` without io_uring, `EPERM` if it is forbidden, `EINVAL` on kernels before
  ///   6.1, `ENOMEM` and `EMFILE` if a limit is reached.
  init() throws(SystemError) {
    let ring = UnsafeMutablePointer<io_uring>.allocate(capacity: 1)
    unsafe ring.initialize(to: io_uring())
    var parameters = io_uring_params()
    parameters.flags =
      IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN
      | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CLAMP | IORING_SETUP_CQSIZE
    parameters.cq_entries = Self.completionEntries
    let answer = unsafe io_uring_queue_init_params(Self.submissionEntries, ring, &parameters)
    let needed = IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_SUBMIT_STABLE
    guard answer == 0, parameters.features & needed == needed else {
      if answer == 0 { unsafe io_uring_queue_exit(ring) }
      unsafe ring.deallocate()
      throw answer < 0 ? SystemError(rawValue: -answer) : .noFunction
    }
    let restricted = unsafe Self.restrict(ring)
    guard restricted == 0 else {
      unsafe io_uring_queue_exit(ring)
      unsafe ring.deallocate()
      throw SystemError(rawValue: -restricted)
    }
    // A child of a fork must not see the ring. If the call is refused, the child may not use it.
    _ = unsafe io_uring_ring_dontfork(ring)
    unsafe self.ring = ring
    unsafe counter = .allocate(capacity: 1)
    unsafe counter.initialize(to: 0)
  }

  deinit {
    unsafe io_uring_queue_exit(ring)
    unsafe ring.deallocate()
    // `counter` is never freed, because its read may still be pending.
  }

  /// Makes the calling thread the user of the ring.
  func enable(workers: UInt32) throws(SystemError) {
    let enabled = unsafe csys_ring_enable(ring.pointee.ring_fd)
    if enabled.error != 0 { throw SystemError(rawValue: enabled.error) }
    // Both calls may fail without harm. The first saves a lookup for each call. The second limits
    // threads that otherwise only the user's process limit bounds.
    _ = unsafe io_uring_register_ring_fd(ring)
    var limits: (UInt32, UInt32) = (workers, 64)
    _ = unsafe withUnsafeMutablePointer(to: &limits) { pointer in
      unsafe pointer.withMemoryRebound(to: UInt32.self, capacity: 2) { values in
        unsafe io_uring_register_iowq_max_workers(ring, values)
      }
    }
  }

  /// Submits the queued entries and runs completion work.
  ///
  /// It waits for `answers` completions. With a `limit` it throws `ETIME` after that time. Waiting
  /// for more than one completion needs `hasPatience`, and after `patience` one is enough. The
  /// kernel does not count an `idle` wait, in which no request is pending, as a wait for I/O.
  func submit(answers: Int, idle: Bool = false, limit: Duration? = nil) throws(SystemError) {
    let prepared = unsafe ring.pointee.sq.sqe_tail
    unsafe ring.pointee.sq.sqe_head = prepared
    try enter(upTo: prepared, answers: answers, idle: idle, limit: limit)
  }

  /// Waits for a completion like `submit`, without submitting entries.
  func wait(limit: Duration) throws(SystemError) {
    // Only calls of this thread advance the kernel's head.
    try unsafe enter(upTo: ring.pointee.sq.khead.pointee, answers: 1, limit: limit)
  }

  private func enter(
    upTo prepared: UInt32,
    answers: Int,
    idle: Bool = false,
    limit: Duration?
  ) throws(SystemError) {
    let flags = unsafe Self.enterFlags(
      isIdle: answers > 0 && idle,
      features: ring.pointee.features,
      isRegistered: ring.pointee.int_flags & 1 != 0
    )
    let entered = unsafe csys_ring_enter(
      ring.pointee.enter_ring_fd,
      ring.pointee.sq.khead,
      ring.pointee.sq.ktail,
      prepared,
      UInt32(answers),
      flags,
      limit.map(\.wholeNanoseconds) ?? -1,
      answers > 1 ? Self.patience : 0
    )
    if entered.error != 0 { throw SystemError(rawValue: entered.error) }
  }

  /// Whether the ring can wait for several completions for a time, and then for one.
  var hasPatience: Bool { unsafe ring.pointee.features & CSYS_RING_HAS_PATIENCE != 0 }

  /// Returns the flags of one `io_uring_enter` call.
  static func enterFlags(isIdle: Bool, features: UInt32, isRegistered: Bool) -> UInt32 {
    var flags = UInt32(IORING_ENTER_GETEVENTS)
    if isRegistered { flags |= UInt32(IORING_ENTER_REGISTERED_RING) }
    // Otherwise an idle process would seem to wait for a disk all the time.
    if isIdle, features & CSYS_RING_CAN_WAIT_IDLE != 0 { flags |= CSYS_RING_WAITS_IDLE }
    return flags
  }

  /// Takes the oldest completion, if there is one, without a system call.
  func takeCompletion() -> Completion? {
    var entry: UnsafeMutablePointer<io_uring_cqe>?
    guard unsafe io_uring_peek_batch_cqe(ring, &entry, 1) == 1, let found = unsafe entry else {
      return nil
    }
    let completion = unsafe Completion(token: found.pointee.user_data, result: found.pointee.res)
    unsafe io_uring_cq_advance(ring, 1)
    return completion
  }
}

extension Ring {
  /// Prepares an entry that does nothing (`IORING_OP_NOP`).
  func prepareNothing(token: UInt64) -> Bool {
    unsafe prepare(token) { unsafe io_uring_prep_nop($0) }
  }

  /// Prepares a wait for the readiness of the request's descriptor.
  func preparePoll(for request: Request, token: UInt64) -> Bool {
    let events = UInt32(request.direction == .read ? POLLIN : POLLOUT)
    return unsafe prepare(token) {
      unsafe io_uring_prep_poll_add($0, request.descriptor.rawValue, events)
    }
  }

  /// Prepares the cancellation of the request with the token `target`.
  func prepareCancellation(of target: UInt64, token: UInt64) -> Bool {
    unsafe prepare(token) { unsafe io_uring_prep_cancel64($0, target, 0) }
  }

  /// Prepares a read of an event descriptor's counter, whose value is not used.
  func prepareWakeup(from descriptor: BorrowedDescriptor, token: UInt64) -> Bool {
    unsafe prepare(token) {
      unsafe io_uring_prep_read($0, descriptor.rawValue, counter, 8, 0)
    }
  }

  func prepare(
    _ token: UInt64,
    _ fill: (UnsafeMutablePointer<io_uring_sqe>) -> Void
  ) -> Bool {
    guard let entry = unsafe io_uring_get_sqe(ring) else { return false }
    unsafe fill(entry)
    unsafe io_uring_sqe_set_data64(entry, token)
    return true
  }
}
