import IOChannelsEngine
import IOChannelsSystem

/// The transfer of the bytes of files, each by the first method of its plan that works.
final class ContentTransfer: Sendable {
  private let options: CopyOptions
  private let clones: CloneAttempts
  private let space: SpaceCheck
  private let limiter: RateLimiter?
  /// Whether the rate or the unwritten data is limited.
  private let isPaced: Bool
  private let smallFiles = PacedWriteBack.SmallFiles()
  /// The bytes that several destinations share; nil for one destination.
  private let shared: SharedSource?

  /// Creates the transfer of a copy by at most `jobs` threads.
  init(_ context: CopyContext, _ space: SpaceCheck, jobs: Int = 1) {
    options = context.options
    shared = context.shared
    self.space = space
    let contents = context.options.contents
    limiter = contents.byteRate.map { RateLimiter(bytesPerSecond: $0, threads: jobs) }
    isPaced = contents.byteRate != nil || contents.limitsUnwrittenData
    clones = CloneAttempts(context, space)
  }

  /// Returns the facts from which the copy of a new file in a way is planned.
  func facts(
    of source: borrowing SourceFile,
    on systems: FileSystemPair,
    _ way: AppearanceWay
  ) -> CopyPlan.Facts {
    let status = source.status
    var facts = CopyPlan.Facts(
      source: status,
      destinationDevice: systems.destination.device,
      isOverwriting: false,
      mayClone: way != .linked && clones.isWorthwhile(for: source, systems)
    )
    facts.areSharing = systems.clones == .shared
    facts.clones = options.contents.clones
    facts.holes = options.contents.holes
    facts.isAtomic = options.isAtomic
    facts.isDirect = options.contents.direct.appliesTo(source.file, status)
    facts.isListed = options.manifest != nil
    facts.sourceSystem = systems.source.kind(of: source.file)
    // A small file takes two calls in any case.
    facts.copiesInKernel =
      !(facts.isSmall && !facts.isSparse) && KernelCopyRule.applies(to: facts.sourceSystem)
    return facts
  }

  /// Returns the two files with everything that the methods need.
  func filePair(
    _ source: borrowing SourceFile,
    _ target: borrowing DestinationFile,
    _ plan: CopyPlan,
    _ item: CopyItem
  ) -> FilePair {
    let status = source.status
    var files = FilePair(
      source: source.file,
      destination: target.file,
      status: status,
      progress: item.worker.progress
    )
    files.destinationHasPeer = target.existing.map { $0.kind != .regular } ?? false
    if case .final = target.name { files.isVisible = true }
    files.copiesPartsInKernel = plan.copiesInKernel
    let kind = plan.sourceSystem
    // On FUSE with direct I/O a read may be short before the end of a file.
    files.mayReadShort = !kind.isTrustedOnRing
    if status.size > Int64(files.pieceLength) {
      let isLocal = item.destinationSystem.kind(of: target.file).isTrustedOnRing
      if files.mayReadShort || !isLocal { files.usePreferredLength() }
    }
    // A generated file may report the length 0 and have bytes.
    if options.contents.toleratesChanges && status.kind == .regular
      && (status.size > 0 || kind.keepsTimes)
    {
      files.limit = status.size
    }
    if options.contents.copiesBytes && options.contents.verifies { files.sum = ContentSum() }
    if options.contents.copiesBytes {
      files.digest = options.newDigest()
      files.shared = shared?.reader(of: source.file, status)
    }
    if isPaced {
      let limitsData = options.contents.copiesBytes && options.contents.limitsUnwrittenData
      let writeBack = limitsData ? PacedWriteBack(target.file, smallFiles) : nil
      files.pacing = TransferPace(limiter, writeBack)
    }
    if options.contents.copiesBytes && options.contents.dropsCache {
      files.dropper = CacheDropper(files, shared?.cached)
    }
    return files
  }

  /// Copies the bytes.
  ///
  /// - Returns: The method that worked, and the number of bytes. Nil if the file has its name only
  ///   for a clone, which was refused.
  func copy(
    _ files: borrowing FilePair,
    _ plan: CopyPlan,
    _ item: CopyItem
  ) throws(CopyError) -> (CopyMethod, Int64)? {
    do throws(DataFailure) {
      if let count = try cloneEarlier(files, item) { return (.clone, count) }
      var isRecorded = plan.appearance == .overwriting
      // The rest of a partial file is copied in the order of its bytes, or without its holes.
      for index in plan.methods.indices {
        guard let method = plan.methods[index] else { break }
        if files.start > 0 && method != .sparse { continue }
        if method != .clone && !isRecorded {
          space.recordWrite(of: files.status.allocatedBytes)
          isRecorded = true
        }
        if let count = try run(method, files, plan, item) { return (method, count) }
        if method == .clone && plan.clonesInPlace { return nil }
      }
      return (.stream, try stream(files, item.worker))
    } catch {
      throw CopyError(error, item)
    }
  }

  /// Shares the blocks of the unchanged file of an earlier copy; nil if there is none.
  private func cloneEarlier(_ files: borrowing FilePair, _ item: CopyItem) throws(DataFailure)
    -> Int64?
  {
    guard let earlier = item.context.earlier, files.start == 0, files.status.size > 0,
      !files.destinationHasPeer, options.contents.holes == .automatic,
      let count = try earlier.clone(files, item)
    else { return nil }
    space.noteClone()
    try item.worker.withChunk(for: files) { chunk throws(DataFailure) in
      try files.addCloneToDigest(&chunk)
    }
    return count
  }

  /// Tries one method; nil if it does not work for this file and nothing was copied.
  private func run(
    _ method: CopyMethod,
    _ files: borrowing FilePair,
    _ plan: CopyPlan,
    _ item: CopyItem
  ) throws(DataFailure) -> Int64? {
    let worker = item.worker
    switch method {
    case .clone:
      let systems = item.systems(ofDevice: files.status.identity.device)
      guard let count = try clones.clone(files, systems) else { return nil }
      try worker.withChunk(for: files) { chunk throws(DataFailure) in
        try files.addCloneToDigest(&chunk)
      }
      return count
    case .sparse:
      if plan.appearance == .overwriting { try files.setDestinationSize(0) }
      return try files.atOffsets { () throws(DataFailure) in
        try copySparse(files, worker)
      }
    case .nonZero:
      if plan.appearance == .overwriting { try files.setDestinationSize(0) }
      return try files.atOffsets { () throws(DataFailure) in
        try worker.withChunk(for: files) { chunk throws(DataFailure) in
          try files.copyNonZero(&chunk)
        }
      }
    case .direct:
      guard files.bypassCache() else { return nil }
      return try ChannelCopy.with(files) { copy throws(DataFailure) in
        try copy.copy(0..<files.limit, atPaceOf: files)
      }
    case .attributes, .compared: return 0
    case .oneShot:
      return try worker.withChunk(for: files) { chunk throws(DataFailure) in
        try files.copyOneShot(&chunk)
      }
    case .kernel:
      guard case .copied(let count) = try files.copyInKernel() else { return nil }
      return count
    case .stream: return try stream(files, worker)
    }
  }

  /// Copies the parts of a file that are allocated, and counts its holes.
  private func copySparse(_ files: borrowing FilePair, _ worker: CopyWorker) throws(DataFailure)
    -> Int64?
  {
    var holes = files.status.size - files.start
    let count = try worker.withChunk(for: files) { chunk throws(DataFailure) in
      try files.copySparse { extent throws(DataFailure) in
        let count = try files.copyExtent(extent, &chunk)
        holes -= count
        return count
      }
    }
    if count == nil { return nil }
    worker.report.addHole(bytes: max(holes, 0))
    files.progress.count(bytes: max(holes, 0))
    return count
  }

  /// Reads and writes to the end.
  private func stream(_ files: borrowing FilePair, _ worker: CopyWorker) throws(DataFailure)
    -> Int64
  {
    if files.start > 0 { try files.moveToStart() }
    // The kernel reads twice as far ahead then, as with cp. A refusal changes nothing.
    if files.status.kind == .regular { try? files.source.advise(.sequential) }
    return try worker.withChunk(for: files) { chunk throws(DataFailure) in
      try files.copyStream(&chunk)
    }
  }
}

extension FileSystemKind {
  /// Whether the modification time of a file changes only with its bytes, and its length is right.
  ///
  /// Other file systems, such as those of FUSE, may invent both.
  var keepsTimes: Bool { [.ext4, .xfs, .btrfs, .tmpfs].contains(self) }
}
