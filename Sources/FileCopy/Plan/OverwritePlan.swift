import SystemCalls

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

  func decision(_ options: CopyOptions) -> Decision {
    let isKept = options.overwriting == .never || options.overwriting == .failing
    if !isKept && sameFile == .refuse { return .refuse(.sameFile) }
    if source.kind != .directory {
      if options.updatesOnly && isUpToDate(options) { return .keep }
      switch (options.overwriting, answer) {
      case (.always, _), (.ask, true): break
      case (.ask, nil): return .ask
      case (.ask, _), (.never, _): return .leave
      case (.failing, _): return .refuse(.notReplacing)
      }
    }
    if sameFile == .leave { return .leave }
    if found.kind == .directory {
      return source.kind == .directory ? .write : .refuse(.directoryInTheWay)
    }
    if source.kind == .directory { return .refuse(.nonDirectoryInTheWay) }
    if isJustMade && options.backup?.kind != .numbered { return .refuse(.justCreated) }
    if let backup = options.backup, !sourceIsDot {
      if sourceIsBackup && backup.kind != .numbered { return .refuse(.backupIsSource) }
      return .backUp
    }
    return mustRemove(options) ? .remove : .write
  }

  private func mustRemove(_ options: CopyOptions) -> Bool {
    if options.removesBeforeOpening { return true }
    if !options.copiesBytes || options.product != .copies { return false }
    // Writing to it would change the file under its other names too.
    return (options.preserved.contains(.links) && found.links > 1)
      || (options.following == .nothing && source.kind != .regular)
  }

  /// Whether the destination is not older, as far as it can store the source's time.
  private func isUpToDate(_ options: CopyOptions) -> Bool {
    var time = source.modified
    if options.preserved.contains(.timestamps) {
      time.nanoseconds -= time.nanoseconds % OverwritePlan.resolution(of: found)
    }
    return (found.modified.seconds, found.modified.nanoseconds) >= (time.seconds, time.nanoseconds)
  }

  /// The coarsest step, in nanoseconds, that all times of a file are multiples of.
  private static func resolution(of file: FileStatus) -> UInt32 {
    let parts = [file.accessed, file.modified, file.changed].map(\.nanoseconds)
    var step: UInt32 = 1
    while step < 1_000_000_000, parts.allSatisfy({ $0 % (step * 10) == 0 }) { step *= 10 }
    return step
  }
}
