import CIOChannelsURing

extension Ring {
  /// The operations that a ring of the engine accepts.
  private static let requests = [
    IORING_OP_NOP, IORING_OP_READ, IORING_OP_WRITE, IORING_OP_WRITEV, IORING_OP_POLL_ADD,
    IORING_OP_ASYNC_CANCEL,
  ]

  /// The registrations that a ring accepts: the limit of workers, and its own descriptor.
  private static let changes = [
    IORING_REGISTER_IOWQ_MAX_WORKERS, IORING_REGISTER_RING_FDS, IORING_UNREGISTER_RING_FDS,
  ]

  /// Restricts the ring to the operations that the engine uses, for its lifetime.
  ///
  /// Otherwise an attacker with access to the ring's descriptor or memory could bypass filters of
  /// system calls.
  ///
  /// - Returns: 0 or the negative error number.
  static func restrict(_ ring: UnsafeMutablePointer<io_uring>) -> Int32 {
    var list: [io_uring_restriction] = []
    for request in requests {
      var entry = io_uring_restriction()
      entry.opcode = UInt16(IORING_RESTRICTION_SQE_OP)
      entry.sqe_op = UInt8(request.rawValue)
      list.append(entry)
    }
    for change in changes {
      var entry = io_uring_restriction()
      entry.opcode = UInt16(IORING_RESTRICTION_REGISTER_OP)
      entry.register_op = UInt8(change)
      list.append(entry)
    }
    // liburing 2.3 declares a function for this but does not export it.
    return unsafe io_uring_register(
      UInt32(ring.pointee.ring_fd),
      UInt32(IORING_REGISTER_RESTRICTIONS),
      &list,
      UInt32(list.count)
    )
  }
}
