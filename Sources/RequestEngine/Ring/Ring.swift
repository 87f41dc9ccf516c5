import CLibURing
import CSystem
import DataRegions
import SystemCalls

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
  init() throws(Errno) {
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
      throw answer < 0 ? Errno(rawValue: -answer) : .noFunction
    }
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
  func enable(workers: UInt32) throws(Errno) {
    let enabled = unsafe csys_ring_enable(ring.pointee.ring_fd)
    if enabled.error != 0 { throw Errno(rawValue: enabled.error) }
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
  /// With `waits` it returns when there is at least one completion.
  func submit(waits: Bool) throws(Errno) {
    try check(
      waits ? unsafe io_uring_submit_and_wait(ring, 1) : unsafe io_uring_submit_and_get_events(ring)
    )
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

  private func check(_ answer: Int32) throws(Errno) {
    if answer < 0 { throw Errno(rawValue: -answer) }
  }
}

extension Ring {
  /// Prepares a request that does nothing.
  func prepareNothing(token: UInt64) -> Bool {
    unsafe prepare(token) { unsafe io_uring_prep_nop($0) }
  }

  /// Prepares the transfer of a request, which must live until the completion.
  ///
  /// - Returns: Whether there was room; if not, submit first.
  func prepareTransfer(of request: Request, token: UInt64) -> Bool {
    unsafe prepare(token) { entry in
      let offset = UInt64(bitPattern: request.offset ?? -1)
      let length = UInt32(request.length)
      switch request.transfer {
      case .read(let buffer, let range):
        let start = unsafe buffer.start + range.lowerBound
        unsafe io_uring_prep_read(entry, request.descriptor.rawValue, start, length, offset)
      case .write(let data):
        let list = request.vectors ?? VectorList(data)
        request.vectors = list
        unsafe io_uring_prep_writev(
          entry,
          request.descriptor.rawValue,
          UnsafeRawPointer(list.vectors).assumingMemoryBound(to: iovec.self),
          UInt32(list.count),
          offset
        )
      }
    }
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

  /// Prepares a read of the counter of an event descriptor.
  func prepareWakeup(from descriptor: BorrowedDescriptor, token: UInt64) -> Bool {
    unsafe prepare(token) {
      unsafe io_uring_prep_read($0, descriptor.rawValue, counter, 8, 0)
    }
  }

  private func prepare(
    _ token: UInt64,
    _ fill: (UnsafeMutablePointer<io_uring_sqe>) -> Void
  ) -> Bool {
    guard let entry = unsafe io_uring_get_sqe(ring) else { return false }
    unsafe fill(entry)
    unsafe io_uring_sqe_set_data64(entry, token)
    return true
  }
}
