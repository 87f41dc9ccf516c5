import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// How the bytes of one file get to its copy.
extension CopySession {
  /// Tries the plan's methods in turn.
  func transfer(
    _ files: FilePair,
    _ plan: CopyPlan,
    _ devices: CloneSupport.Pair,
    _ job: FileJob,
    _ worker: CopyWorker
  ) throws(CopyError) -> (CopyMethod, Int64) {
    do throws(DataFailure) {
      var hasLooked = plan.appearance == .overwriting
      for method in plan.methods {
        if method != .clone && !hasLooked {
          checkSpace(for: files.status)
          hasLooked = true
        }
        if let count = try run(method, files, plan, devices, worker) { return (method, count) }
      }
      return (.stream, try stream(files, worker))
    } catch {
      throw CopyError(error, job)
    }
  }

  /// One method; nil when it does not work for this file and nothing was copied.
  private func run(
    _ method: CopyMethod,
    _ files: FilePair,
    _ plan: CopyPlan,
    _ devices: CloneSupport.Pair,
    _ worker: CopyWorker
  ) throws(DataFailure) -> Int64? {
    switch method {
    case .clone: return try clone(files, devices)
    case .sparse:
      if plan.appearance == .overwriting { try files.empty() }
      var holes = files.status.size
      let count: Int64?
      if plan.methods.contains(.channel) {
        count = try copyIfMemoryAllows(files) { copy throws(DataFailure) in
          try files.copySparse { extent throws(DataFailure) in
            let count = try copy.copy(extent)
            holes -= count
            return count
          }
        }
      } else {
        count = try worker.withChunk { chunk throws(DataFailure) in
          try files.copySparse { extent throws(DataFailure) in
            let count = try files.copyExtent(extent, &chunk)
            holes -= count
            return count
          }
        }
      }
      if count == nil { return nil }
      worker.report.holeBytes.grow(by: max(holes, 0))
      monitor.count(bytes: max(holes, 0))
      return count
    case .nonZero:
      if plan.appearance == .overwriting { try files.empty() }
      return try worker.withChunk { chunk throws(DataFailure) in try files.copyNonZero(&chunk) }
    case .direct:
      guard files.bypassCache() else { return nil }
      return try copyThroughChannels(files) { copy throws(DataFailure) in
        try copy.copy(0..<files.limit)
      }
    case .attributes: return 0
    case .oneShot: return try files.copyOneShot(&worker.buffer)
    case .kernel:
      guard case .copied(let count) = try files.copyInKernel() else { return nil }
      return count
    case .channel:
      return try copyIfMemoryAllows(files) { copy throws(DataFailure) in
        try copy.copy(0..<files.limit)
      }
    case .stream: return try stream(files, worker)
    }
  }

  /// Lends a channel on each side.
  private func copyThroughChannels<Value>(
    _ files: FilePair,
    _ body: (ChannelCopy) throws(DataFailure) -> Value
  ) throws(DataFailure) -> Value {
    let copy = ChannelCopy(files)
    defer { copy.close() }
    return try body(copy)
  }

  /// Lends a channel on each side; nil where there is no memory for several pieces at a time.
  ///
  /// Both files are back at their start then, so that another method copies them from there.
  private func copyIfMemoryAllows(
    _ files: FilePair,
    _ body: (ChannelCopy) throws(DataFailure) -> Int64?
  ) throws(DataFailure) -> Int64? {
    do throws(DataFailure) {
      return try copyThroughChannels(files, body)
    } catch {
      guard error.error == .noMemory, files.restart() else { throw error }
      return nil
    }
  }

  /// Reads and writes to the end.
  private func stream(
    _ files: FilePair,
    _ worker: CopyWorker
  ) throws(DataFailure) -> Int64 {
    var files = files
    files.ahead = ReadAhead(of: files)
    defer { files.ahead?.finish() }
    return try worker.withChunk { chunk throws(DataFailure) in try files.copyStream(&chunk) }
  }

  /// Whether sharing a file's blocks is worth trying.
  ///
  /// The kernel shares what is on the disk: of a file that was written a moment ago it would write
  /// the bytes first, and wait for the disk. A small one of that kind is read, out of memory.
  func mayClone(
    _ source: BorrowedDescriptor,
    _ status: FileStatus,
    _ devices: CloneSupport.Pair
  ) -> Bool {
    if status.size == 0 { return false }
    switch clones.withLock({ $0.answer(of: devices) }) {
    case .unknown: return true
    case .shares:
      if status.size > Int64(CopyPlan.oneShotLimit) { return true }
      // A kernel that does not tell is taken at its word that it shares.
      return (try? source.unwrittenPages()) ?? 0 == 0
    case .refuses: return false
    }
  }

  /// Shares the source's blocks; nil where something else is to be tried.
  private func clone(
    _ files: FilePair,
    _ devices: CloneSupport.Pair
  ) throws(DataFailure) -> Int64? {
    do throws(SystemError) {
      do throws(SystemError) {
        try files.clone()
      } catch .invalidArgument where options.clones == .always {
        // Behind an end within a block nothing can stand.
        try files.destination.setSize(files.status.size)
        try files.clone()
      }
      // The blocks of a file that grows are shared with what it has become.
      if files.limit < .max, try files.destination.status().size > files.limit {
        try files.destination.setSize(files.limit)
      }
      monitor.count(bytes: files.status.size)
      hasCloned.store(true, ordering: .relaxed)
      clones.withLock { $0.noteClone(devices) }
      return files.status.size
    } catch {
      let mayCopyOtherwise = clones.withLock { $0.recordFailure(error, of: devices) }
      if mayCopyOtherwise && options.clones != .always { return nil }
      throw DataFailure(side: .cloning, error: error)
    }
  }
}
