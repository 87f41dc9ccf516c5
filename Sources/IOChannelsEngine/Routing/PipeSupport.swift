import CIOChannelsSystem

/// The support of the kernel for anonymous pipes.
enum PipeSupport {
  /// Whether a transfer can be made that never blocks, which needs Linux 6.4.
  ///
  /// A ring of an older kernel makes a blocking call in a worker thread, which reports no byte of a
  /// write before the last one has room. It is also false if there are no descriptors for a try.
  static let hasNonBlockingTransfers: Bool = {
    let answer = csys_pipe_never_blocks()
    return answer.error == 0 && answer.value == 1
  }()
}
