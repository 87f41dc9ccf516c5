import CIOChannelsURing
import CIOChannelsSystem

extension Ring {
  /// The requests that the kernel takes from a ring of ours.
  private static let requests: [UInt32] = [
    IORING_OP_NOP, IORING_OP_READ, IORING_OP_WRITEV, IORING_OP_POLL_ADD, IORING_OP_ASYNC_CANCEL,
    IORING_OP_CLOSE, IORING_OP_FSYNC, IORING_OP_FALLOCATE, IORING_OP_STATX, IORING_OP_TIMEOUT,
  ].map(\.rawValue)

  /// The changes of a ring that the kernel makes: bounding workers, and knowing its descriptor.
  private static let changes = [
    IORING_REGISTER_IOWQ_MAX_WORKERS, IORING_REGISTER_RING_FDS, IORING_UNREGISTER_RING_FDS,
  ]

  /// Has the kernel refuse all that the engine never asks a ring for, as long as the ring lives.
  ///
  /// Whoever got at the ring's descriptor or memory could otherwise do with it what filters of
  /// system calls do not see.
  ///
  /// - Returns: 0 or the negative error number.
  static func restrict(_ ring: UnsafeMutablePointer<io_uring>) -> Int32 {
    let answer = unsafe restrict(ring, to: requests + [UInt32(CSYS_RING_TRUNCATE)])
    // A kernel that does not know the newest request does not know its number.
    return answer == -EINVAL ? unsafe restrict(ring, to: requests) : answer
  }

  private static func restrict(
    _ ring: UnsafeMutablePointer<io_uring>,
    to requests: [UInt32]
  ) -> Int32 {
    var list: [io_uring_restriction] = []
    for request in requests {
      var entry = io_uring_restriction()
      entry.opcode = UInt16(IORING_RESTRICTION_SQE_OP)
      entry.sqe_op = UInt8(request)
      list.append(entry)
    }
    for change in changes {
      var entry = io_uring_restriction()
      entry.opcode = UInt16(IORING_RESTRICTION_REGISTER_OP)
      entry.register_op = UInt8(change)
      list.append(entry)
    }
    // liburing 2.3 declares a call of its own for this that it does not have.
    return unsafe io_uring_register(
      UInt32(ring.pointee.ring_fd),
      UInt32(IORING_REGISTER_RESTRICTIONS),
      &list,
      UInt32(list.count)
    )
  }
}
