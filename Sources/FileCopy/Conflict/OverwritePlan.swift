import IOChannelsSystem

/// What is done with a file that has a copy's name, decided from facts alone.
struct OverwritePlan {
  /// What to do.
  enum Decision: Equatable {
    /// Write to it, or into it.
    case write
    /// Remove it first.
    case remove
    /// Keep it under another name first.
    case backUp
    /// Leave it alone.
    case leave
    /// Leave it alone, for it is as new as the source and counts as its copy.
    case keep
    /// Ask somebody and decide again.
    case ask
    /// Say why not.
    case refuse(CopyError.Problem)
  }

  var source: FileStatus
  var found: FileStatus
  /// What the rule about copies of a file onto itself says.
  var sameFile: SameFileRule.Outcome
  /// Whether it was made for an earlier operand.
  var isJustMade = false
  /// Whether the source is what a simple backup would replace.
  var sourceIsBackup = false
  /// Whether the source's name stands for a directory as such.
  var sourceIsDot = false
  /// What somebody answered.
  var answer: Bool?
  /// The nanoseconds that the destination's times are multiples of.
  var timeStep: Int64 = 1

  func decision(_ options: CopyOptions) -> Decision {
    let isKept = options.overwriting == .never || options.overwriting == .failing
    if !isKept && sameFile == .refuse { return .refuse(.sameFile) }
    if source.kind != .directory {
      if options.updatesOnly && !isRefused(options) && isUpToDate(options) { return .keep }
      switch (options.overwriting, answer) {
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
    if source.kind == .directory { return .refuse(.existingNonDirectory) }
    if isJustMade && options.backup?.kind != .numbered { return .refuse(.justCreated) }
    if let backup = options.backup, !sourceIsDot {
      if sourceIsBackup && backup.kind != .numbered { return .refuse(.backupIsSource) }
      return .backUp
    }
    return mustRemove(options) ? .remove : .write
  }

  /// Whether a link is in the way that neither gives way nor is written through: its time says
  /// nothing.
  private func isRefused(_ options: CopyOptions) -> Bool {
    found.kind == .symbolicLink && source.kind == .regular && options.product == .copies
      && options.backup == nil && !options.isAtomic && !mustRemove(options)
  }

  private func mustRemove(_ options: CopyOptions) -> Bool {
    // The old file stays until the new one takes its place.
    let givesWay =
      source.kind != .regular || found.kind == .regular || found.kind == .symbolicLink
    if options.isAtomic && givesWay && options.product == .copies && options.copiesBytes {
      return false
    }
    if source.kind != .regular { return givesWayToSpecial(options) }
    return options.removesBeforeOpening || keepsOtherNames(options)
  }

  /// Whether a file in the way of a link or special file gives way to it, as with cp.
  func givesWayToSpecial(_ options: CopyOptions) -> Bool {
    options.removesBeforeOpening || keepsOtherNames(options)
      || (options.copiesBytes && options.following == .nothing)
  }

  /// Whether the existing file has other names, which must keep its contents.
  private func keepsOtherNames(_ options: CopyOptions) -> Bool {
    options.copiesBytes && options.preserved.contains(.links) && found.links > 1
  }

  /// Whether the destination is not older, as far as it can store the source's time.
  private func isUpToDate(_ options: CopyOptions) -> Bool {
    let time =
      options.preserved.contains(.timestamps)
      ? source.modified.stored(inStepsOf: timeStep) : source.modified
    return !(time > found.modified)
  }

  /// The coarsest step, in nanoseconds, that all times of a file are multiples of.
  static func likelyTimeStep(of file: FileStatus) -> Int64 {
    let parts = [file.accessed, file.modified, file.changed].map(\.nanoseconds)
    var step: UInt32 = 1
    while step < 1_000_000_000, parts.allSatisfy({ $0 % (step * 10) == 0 }) { step *= 10 }
    return Int64(step)
  }
}

extension FileTime {
  /// A time that shows by what is left of it how finely a file system stores times.
  static let probe = FileTime(seconds: 1_000_000_001, nanoseconds: 999_999_999)

  static func > (one: FileTime, other: FileTime) -> Bool {
    (one.seconds, one.nanoseconds) > (other.seconds, other.nanoseconds)
  }

  /// The time as a file system keeps it that cuts times to multiples of a step.
  func stored(inStepsOf step: Int64) -> FileTime {
    let wholeSeconds = step / 1_000_000_000
    if wholeSeconds == 0 {
      let part = nanoseconds - nanoseconds % UInt32(max(step, 1))
      return FileTime(seconds: seconds, nanoseconds: part)
    }
    let over = seconds % wholeSeconds
    return FileTime(
      seconds: seconds - (over < 0 ? over + wholeSeconds : over),
      nanoseconds: 0
    )
  }

  /// The step that the probe was cut to, nil when it is no time that the probe is cut to.
  var stepOfProbe: Int64? {
    let lost =
      (FileTime.probe.seconds - seconds) * 1_000_000_000
      + Int64(FileTime.probe.nanoseconds) - Int64(nanoseconds)
    return (0..<2_000_000_000).contains(lost) ? lost + 1 : nil
  }
}
