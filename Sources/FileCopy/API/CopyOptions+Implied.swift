extension CopyOptions {
  /// The number of files that are flushed to disk together, where the number of jobs is not given.
  ///
  /// The threads wait for the disk and need no processors.
  static let durableJobs = 32

  /// The options with those that they imply.
  var withImplied: CopyOptions {
    var options = self
    if durability == .everyFile || existing.resumes { options.isAtomic = true }
    if existing.resumes { options.metadata.preserved.insert(.timestamps) }
    return options
  }
}
