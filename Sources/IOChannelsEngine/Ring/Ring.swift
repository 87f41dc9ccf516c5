import CIOChannelsURing
import CIOChannelsSystem
import DataRegions
import QueueRuntime
import IOChannelsSystem

/// One io_uring, used by one thread.
///
/// It is made disabled on any thread and enabled by the thread that will use it, which alone may
/// call anything else. Memory named in a request must stay until its completion, even when this
/// value is gone: the kernel does not wait for requests when a ring is closed.
@safe
struct Ring: ~Copyable {
  /// An answer of the kernel.
  struct Completion {
    let token: UInt64
    let result: Int32
  }

  /// How many requests are handed to the kernel in one call.
  static let submissionEntries: UInt32 = 256
  /// How long a wait for several answers lasts at most once there is one, in microseconds: some
  /// writes of 1 MiB.
  private static let patience: UInt32 = 4_000
  /// How many answers fit before one is taken; more requests are never in flight.
  static let completionEntries: UInt32 = 4096

  /// liburing's structure points into itself, so it stays where it is.
  private let ring: UnsafeMutablePointer<io_uring>
  /// Where the kernel puts the counter of the wake-up descriptor.
  private let counter: UnsafeMutablePointer<UInt64>

  /// Asks the kernel for a ring.
  ///
  /// - Throws: `ENOSYS` where there is no io_uring, `EPERM` where it is forbidden, `EINVAL` where
  ///   the kernel is older than 6.1, `ENOMEM` and `EMFILE` where a limit is reached.
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
    // A child of the process must not see the ring; where this is refused, it may not use it.
    _ = unsafe io_uring_ring_dontfork(ring)
    unsafe self.ring = ring
    unsafe counter = .allocate(capacity: 1)
    unsafe counter.initialize(to: 0)
  }

  deinit {
    unsafe io_uring_queue_exit(ring)
    unsafe ring.deallocate()
    // `counter` is left to the kernel: its read may still be under way.
  }

  /// Makes the calling thread the ring's user.
  func enable(workers: UInt32) throws(SystemError) {
    let enabled = unsafe csys_ring_enable(ring.pointee.ring_fd)
    if enabled.error != 0 { throw SystemError(rawValue: enabled.error) }
    // Both may fail without harm: the first saves a look-up for each call, the second bounds
    // threads that the kernel would otherwise bound by the user's process limit.
    _ = unsafe io_uring_register_ring_fd(ring)
    var limits: (UInt32, UInt32) = (workers, 64)
    _ = unsafe withUnsafeMutablePointer(to: &limits) { pointer in
      unsafe pointer.withMemoryRebound(to: UInt32.self, capacity: 2) { values in
        unsafe io_uring_register_iowq_max_workers(ring, values)
      }
    }
  }

  /// Hands what was prepared to the kernel and runs its work for this thread.
  ///
  /// It waits for so many `answers`, or with `ETIME` until the time is up, which has no end unless
  /// `limit` names one. For more than one it needs `hasPatience`; after `patience` one
  /// is enough. A wait that is `idle`, as nothing of anybody's is under way, is none for a disk.
  func submit(answers: Int, idle: Bool = false, limit: Duration? = nil) throws(SystemError) {
    let prepared = unsafe ring.pointee.sq.sqe_tail
    unsafe ring.pointee.sq.sqe_head = prepared
    try enter(upTo: prepared, answers: answers, idle: idle, limit: limit)
  }

  /// Waits for a completion as `submit` does, without handing anything over.
  func wait(limit: Duration) throws(SystemError) {
    // The kernel moves its head in calls of this thread only.
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

  /// Whether it can wait for several answers for a while, and then for one.
  var hasPatience: Bool { unsafe ring.pointee.features & CSYS_RING_HAS_PATIENCE != 0 }

  /// The flags of one entry into the kernel.
  static func enterFlags(isIdle: Bool, features: UInt32, isRegistered: Bool) -> UInt32 {
    var flags = UInt32(IORING_ENTER_GETEVENTS)
    if isRegistered { flags |= UInt32(IORING_ENTER_REGISTERED_RING) }
    // Else a process that does nothing would look like one that waits for a disk all the time.
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
  /// Prepares a request that does nothing.
  func prepareNothing(token: UInt64) -> Bool {
    unsafe prepare(token) { unsafe io_uring_prep_nop($0) }
  }

  /// Prepares waiting until the request's descriptor can be read or written.
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

  /// Prepares a read of the counter of an event descriptor, which nobody looks at.
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
