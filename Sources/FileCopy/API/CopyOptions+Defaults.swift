import IOChannelsSystem

extension CopyOptions {
  /// The number of files that are flushed to disk together, where the number of jobs is not given.
  ///
  /// The threads wait for the disk and need no processors.
  static let durableJobs = 32

  /// Returns the default limit of files copied at once; see ``JobRule``.
  ///
  /// With eight or more processors, the limit is their number.
  static func jobs(processors: Int) -> Int { max(processors, min(4 * processors, 8)) }

  /// The options with those that they imply.
  var withImplied: CopyOptions {
    var options = self
    if durability == .everyFile || existing.resumes { options.isAtomic = true }
    if existing.resumes { options.metadata.preserved.insert(.timestamps) }
    if isDryRun || !contents.copiesBytes || tree.product != .copies {
      options.manifest = nil
      options.earlier = nil
    }
    if let earlier = options.earlier {
      options.metadata.preserved.insert(.timestamps)
      if earlier.sharing == .hardLinks { options.isAtomic = true }
    }
    // The last step sets the metadata that the options imply for the parts, and copies no file.
    if shard == .finish {
      options.manifest = nil
      options.earlier = nil
    }
    return options
  }

  /// Whether the contents of an operand of some kind are read, and not its directory or link.
  func readsContents(of kind: FileKind) -> Bool {
    let readsAnything = !tree.isRecursive || tree.readsSpecialFiles
    return kind == .regular || (readsAnything && kind != .symbolicLink && kind != .directory)
  }

  /// Whether an operand of some kind is written to the file that an existing symbolic link names.
  func writesThroughLinks(for kind: FileKind) -> Bool {
    readsContents(of: kind) && tree.product == .copies && existing.backup == nil
      && !existing.removesBeforeOpening
  }

  /// Returns an empty checksum for the manifest; nil if there is none.
  func newDigest() -> ContentDigest? { manifest.map { ContentDigest($0.algorithm) } }
}
