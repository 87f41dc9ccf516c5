import IOChannelsSystem

extension FilePair {
  /// The result of a copy in the kernel.
  enum KernelOutcome: Equatable {
    /// The kernel copied this number of bytes, up to the end of the source.
    case copied(Int64)
    /// The kernel does not copy this file. Nothing was copied.
    case refused
  }

  /// Copies the complete source in the kernel.
  func copyInKernel() throws(DataFailure) -> KernelOutcome {
    var total: Int64 = 0
    while total < status.size {
      let count = try kernelStep(
        from: total,
        to: total,
        count: Int(clamping: status.size - total)
      )
      guard let count else {
        // A part was copied. Another method for the rest could hide a failing disk.
        if total == 0 { return .refused }
        throw DataFailure(side: .copying, error: .invalidArgument)
      }
      if count == 0 {
        // Some files that the kernel generates return bytes only to a read.
        return total == 0 ? .refused : .copied(total)
      }
      total += Int64(count)
      try dropper?.advance(to: total)
    }
    return .copied(total)
  }

  /// Clones the source: both files share all blocks.
  func clone() throws(SystemError) {
    try destination.clone(from: source)
  }

  /// The maximum number of bytes that the kernel copies in one call.
  ///
  /// A slow disk writes them in a short time. So the progress is current, and a copy stops soon.
  private static let stepLimit = 8 << 20

  /// Copies up to `count` bytes in the kernel with one call.
  ///
  /// - Returns: The number of copied bytes; nil if the kernel does not copy these files.
  func kernelStep(from: Int64, to: Int64, count: Int) throws(DataFailure) -> Int? {
    try throwIfStopping()
    let moved: Int
    do throws(SystemError) {
      let length = min(count, FilePair.stepLimit, Int(clamping: step ?? .max))
      moved = try destination.copy(from: source, at: from, to: to, count: length)
    } catch {
      if FilePair.isRefusal(error) { return nil }
      throw DataFailure(side: .copying, error: error)
    }
    progress.count(bytes: Int64(moved))
    try pace(Int64(moved), to: to + Int64(moved))
    return moved
  }

  private static func isRefusal(_ error: SystemError) -> Bool {
    switch error {
    case .improperLink, .invalidArgument, .noFunction, .notSupported, .notPermitted,
      .badFileDescriptor, .inappropriateIOCTLForDevice, .textFileBusy, .noSuchFileOrDirectory:
      true
    default: false
    }
  }
}
