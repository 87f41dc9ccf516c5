import IOChannelsSystem

/// The rule by which a copy continues an interrupted one, as pure functions of facts.
///
/// A copy is complete if it has the type, the length and the modification time of its source,
/// because the time is set last. The rule needs no record of the interrupted copy.
enum ResumeRule {
  /// The maximum granularity, in seconds, of the times of a file system.
  private static let maximumStep: Int64 = 2
  private static let second: Int64 = 1_000_000_000
  /// The maximum time, in nanoseconds, between two ticks of the clock for the times of local files.
  static let tick: Int64 = 10_000_000

  /// Whether an existing file is a complete copy, if the destination stores times in steps of
  /// `timeStep` nanoseconds.
  static func isComplete(
    _ found: FileStatus,
    of source: FileStatus,
    timeStep: Int64
  ) -> Bool {
    guard mayBeComplete(found, of: source) else { return false }
    return found.modified == source.modified
      || found.modified == source.modified.stored(inStepsOf: timeStep)
  }

  /// Whether an existing file is a complete copy if the destination stores times coarsely enough.
  static func mayBeComplete(_ found: FileStatus, of source: FileStatus) -> Bool {
    guard source.kind == .regular || source.kind == .symbolicLink, found.kind == source.kind,
      found.size == source.size
    else { return false }
    let (difference, overflows) =
      source.modified.seconds.subtractingReportingOverflow(found.modified.seconds)
    return !overflows && (0..<maximumStep).contains(difference)
  }

  /// Returns the modification time of a copy that need not be complete, although it has the length
  /// of its source. No rerun accepts it, and `-u` replaces the copy.
  static func doubtfulTime(for modified: FileTime) -> FileTime {
    var time = modified
    let isLeast = time.seconds < Int64.min + maximumStep
    time.seconds += isLeast ? maximumStep : -maximumStep
    return time
  }

  /// Returns the time, in nanoseconds, to wait before a source is read at the time `now`, which is
  /// that of the wall clock in nanoseconds.
  ///
  /// A write in the same tick of the clock as the last one changes no time. After the wait, each
  /// write gives the source another modification time, so that the copy is not taken for complete.
  /// The ticks are short if this system's clock gives the file its times (`isLocal`).
  static func wait(before source: FileStatus, now: Int64, isLocal: Bool) -> Int64 {
    let isCoarse = OverwritePlan.likelyTimeStep(of: source) >= second
    let period = isLocal && !isCoarse ? tick : maximumStep * second
    let (whole, isFar) = source.modified.seconds.multipliedReportingOverflow(by: second)
    let (modified, isFarther) = whole.addingReportingOverflow(Int64(source.modified.nanoseconds))
    let (age, isOld) = now.subtractingReportingOverflow(modified)
    // A time that is farther in the future was set by a program, and is not that of a write.
    if isFar || isFarther || isOld || age >= period || age <= -period { return 0 }
    return period - age
  }
}
