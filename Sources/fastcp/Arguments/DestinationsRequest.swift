import FileCopy

/// The options that contradict `--also-to`.
extension CopyRequest {
  /// The error of further destinations that are refused; nil if there is none.
  var destinationsError: UsageError? {
    if options.furtherDestinations.isEmpty { return nil }
    // Several destinations would ask at the same time.
    if options.existing.rule == .ask { return .cannotCombine("--also-to", "--interactive") }
    // Each destination would read the source from the disk.
    if options.contents.direct != .never { return .cannotCombine("--also-to", "--direct") }
    // Files are shared only within one file system.
    switch options.earlier?.sharing {
    case .blocks: return .cannotCombine("--also-to", "--reflink-dest")
    case .hardLinks: return .cannotCombine("--also-to", "--link-dest")
    case nil: return nil
    }
  }
}
