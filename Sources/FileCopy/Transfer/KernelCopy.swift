import IOChannelsSystem

extension FilePair {
  /// What the kernel made of a copy.
  enum KernelOutcome: Equatable {
    /// It copied this many bytes, up to the end of the source.
    case copied(Int64)
    /// It does not copy this file; nothing was copied.
    case refused
  }

  /// Lets the kernel copy from the start to the end.
  func copyInKernel() throws(DataFailure) -> KernelOutcome {
    var total: Int64 = 0
    while total < status.size {
      let count = try kernelStep(
        from: total,
        to: total,
        count: Int(clamping: status.size - total)
      )
      guard let count else {
        // Part of the file came over: going on in another way could hide a failing disk.
        if total == 0 { return .refused }
        throw DataFailure(side: .copying, error: .invalidArgument)
      }
      if count == 0 {
        // Some files of the kernel's give nothing here and their bytes only to a read.
        return total == 0 ? .refused : .copied(total)
      }
      total += Int64(count)
      try dropper?.moved(count)
    }
    return .copied(total)
  }

  /// Shares all blocks.
  func clone() throws(SystemError) {
    try destination.clone(from: source)
  }

  /// How much the kernel copies at a time: a slow disk takes it within a moment, so that progress
  /// shows and a copy that is stopped ends.
  private static let stepLimit = 8 << 20

  /// One copy of the kernel's, nil when it does not do it for these files.
  func kernelStep(from: Int64, to: Int64, count: Int) throws(DataFailure) -> Int? {
    try mayGoOn()
    do throws(SystemError) {
      let length = min(count, FilePair.stepLimit)
      let moved = try destination.copy(from: source, at: from, to: to, count: length)
      monitor.count(bytes: Int64(moved))
      return moved
    } catch {
      if FilePair.isRefusal(error) { return nil }
      throw DataFailure(side: .copying, error: error)
    }
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
