import IOChannelsSystem

/// The decision about an existing file, as a pure function of facts.
struct OverwritePlan {
  /// The action for the existing file.
  enum Decision: Equatable {
    /// Overwrite the file, or copy into the directory.
    case write
    /// Remove it before the copy.
    case remove
    /// Remove it before the copy, with all that is in it, because the source has another kind.
    case replaceKind
    /// Rename it to a backup before the copy.
    case backUp
    /// Keep it and skip the source.
    case leave
    /// Keep it, because it is as new as the source and counts as its copy.
    case keep
    /// Ask the user, and decide again with the answer.
    case ask
    /// Report a failure with this reason.
    case refuse(CopyProblem)
  }

  var source: FileStatus
  /// The status of the existing file.
  var found: FileStatus
  /// The outcome of the rule about copies of a file onto itself.
  var sameFile: SameFileRule.Outcome
  /// Whether this copy created the existing file for an earlier operand.
  var isJustCreated = false
  /// Whether the existing file is a complete copy of an interrupted run.
  var isComplete = false
  /// Whether the existing file is the start of its source, which an interrupted copy left.
  var isPartial = false
  /// Whether the existing file is a symbolic link whose target is missing.
  var isDangling = false
  /// Whether a simple backup would replace the source.
  var sourceIsBackup = false
  /// Whether the last component of the source's path is `.` or `..`.
  var sourceIsDot = false
  /// The user's answer; nil before the question.
  var answer: Bool?
  /// The granularity of the destination's timestamps, in nanoseconds.
  var timeStep: Int64 = 1

  func decision(_ options: OverwriteOptions) -> Decision {
    if options.replacesKinds && hasOtherKind(options) {
      return isRenamedOver(options) ? .write : .replaceKind
    }
    let isKept = options.rule == .never || options.rule == .failing
    if !isKept && sameFile == .refuse { return .refuse(.sameFile) }
    // As with cp, a dangling link that stays in the way is no existing file.
    if source.kind != .directory && !(isDangling && isUnusableLink(options)) {
      if isComplete && !isJustCreated { return .keep }
      if options.updatesOnly && !isPartial && !isUnusableLink(options) && isUpToDate(options) {
        return .keep
      }
      switch (options.rule, answer) {
      case (.always, _), (.ask, true): break
      case (.ask, nil): return .ask
      case (.ask, _), (.never, _): return .leave
      case (.failing, _): return .refuse(.notReplacing)
      }
    }
    if sameFile == .leave { return .leave }
    if found.kind == .directory {
      return source.kind == .directory ? .write : .refuse(.existingDirectory)
    }
    // A directory named by a dot gets no backup, and the file would be lost.
    if source.kind == .directory && (options.backup == nil || sourceIsDot) {
      return .refuse(.existingNonDirectory)
    }
    if isJustCreated && options.backup != .numbered { return .refuse(.justCreated) }
    if let backup = options.backup, !sourceIsDot {
      if sourceIsBackup && backup != .numbered { return .refuse(.backupIsSource) }
      return .backUp
    }
    return mustRemove(options) ? .remove : .write
  }

  /// Whether the existing file has another kind than the copy of the source.
  ///
  /// If the existing file would be lost as the target of the source, it counts as the same file. A
  /// link that leads to the source may be removed.
  private func hasOtherKind(_ options: OverwriteOptions) -> Bool {
    if source.kind == found.kind || options.product == .symbolicLinks { return false }
    if sameFile != .proceed && found.kind != .symbolicLink { return false }
    switch source.kind {
    case .fifo, .socket, .characterDevice, .blockDevice: return !options.readsSpecialFiles
    default: return true
    }
  }

  /// Whether the copy is renamed over an existing file of another kind.
  private func isRenamedOver(_ options: OverwriteOptions) -> Bool {
    guard options.isAtomic, options.product == .copies, options.copiesBytes,
      source.kind != .directory, found.kind != .directory
    else { return false }
    return source.kind == .regular
      ? found.kind == .symbolicLink : isRemovedForSpecialFile(options)
  }

  /// Whether the existing file is a symbolic link that is neither removed nor followed.
  ///
  /// Its time is meaningless.
  private func isUnusableLink(_ options: OverwriteOptions) -> Bool {
    found.kind == .symbolicLink && source.kind == .regular && options.product == .copies
      && options.backup == nil && !options.isAtomic && !mustRemove(options)
  }

  private func mustRemove(_ options: OverwriteOptions) -> Bool {
    // The old file is kept until the new one replaces it atomically.
    let isReplaceable =
      source.kind != .regular || found.kind == .regular || found.kind == .symbolicLink
    if options.isAtomic && isReplaceable && options.product == .copies && options.copiesBytes {
      return false
    }
    if source.kind != .regular { return isRemovedForSpecialFile(options) }
    return options.removesBeforeOpening || keepsOtherNames(options)
  }

  /// Whether the existing file is removed for a link or special file, as with cp.
  func isRemovedForSpecialFile(_ options: OverwriteOptions) -> Bool {
    options.removesBeforeOpening || keepsOtherNames(options)
      || (options.copiesBytes && options.following == .nothing)
  }

  /// Whether the existing file has other names, which must keep its contents.
  private func keepsOtherNames(_ options: OverwriteOptions) -> Bool {
    options.copiesBytes && options.preserved.contains(.links) && found.links > 1
  }

  /// Whether the existing file is not older than the source, within the granularity of its time.
  private func isUpToDate(_ options: OverwriteOptions) -> Bool {
    let time =
      options.preserved.contains(.timestamps)
      ? source.modified.stored(inStepsOf: timeStep) : source.modified
    return !(time > found.modified)
  }

  /// Returns the coarsest step, in nanoseconds, of which all times of a file are multiples.
  static func likelyTimeStep(of file: FileStatus) -> Int64 {
    let parts = [file.accessed, file.modified, file.changed].map(\.nanoseconds)
    var step: UInt32 = 1
    while step < 1_000_000_000, parts.allSatisfy({ $0 % (step * 10) == 0 }) { step *= 10 }
    return Int64(step)
  }
}

extension FileTime {
  /// A probe: its stored value shows the granularity of a file system's timestamps.
  static let probe = FileTime(seconds: 1_000_000_001, nanoseconds: 999_999_999)

  /// Returns the time as stored by a file system that truncates times to multiples of a step.
  func stored(inStepsOf step: Int64) -> FileTime {
    let wholeSeconds = step / 1_000_000_000
    if wholeSeconds == 0 {
      let part = nanoseconds - nanoseconds % UInt32(max(step, 1))
      return FileTime(seconds: seconds, nanoseconds: part)
    }
    let over = seconds % wholeSeconds
    let distance = over < 0 ? over + wholeSeconds : over
    // The first times of all have no multiple before them.
    let (whole, overflows) = seconds.subtractingReportingOverflow(distance)
    return FileTime(seconds: overflows ? .min : whole, nanoseconds: 0)
  }

  /// The step to which the probe was truncated; nil if this is not a truncated probe.
  var stepOfProbe: Int64? {
    // A file system may invent any time.
    let last = FileTime.probe.seconds
    guard (last - 1...last).contains(seconds) else { return nil }
    let lost =
      (last - seconds) * 1_000_000_000
      + Int64(FileTime.probe.nanoseconds) - Int64(nanoseconds)
    return (0..<2_000_000_000).contains(lost) ? lost + 1 : nil
  }
}
