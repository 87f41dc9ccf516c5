import IOChannelsSystem

/// The rule for a copy whose destination may be the source itself, as a pure function of facts.
struct SameFileRule {
  /// The outcome of the rule.
  enum Outcome: Equatable {
    /// Proceed: the source is not changed.
    case proceed
    /// Do nothing, because the request is fulfilled already.
    case leave
    /// Refuse the copy: the source would be lost.
    case refuse
  }

  /// The status of the source, with the options about links applied.
  var source: FileStatus
  /// The status of the existing file, to which the copy would write.
  var found: FileStatus
  /// The statuses without following links.
  var sourceLink: FileStatus
  var foundLink: FileStatus
  /// The statuses with links followed; nil for dangling links.
  var sourceTarget: FileStatus?
  var foundTarget: FileStatus?
  /// Whether both are the same entry of the same directory.
  var isSameName: Bool

  func outcome(_ options: OverwriteOptions) -> Outcome {
    let createsHardLinks = options.product == .hardLinks
    if source.identity == found.identity && createsHardLinks { return .leave }
    if options.following == .nothing {
      if source.kind == .symbolicLink && found.kind == .symbolicLink {
        return outcomeForTwoLinks(options)
      }
    } else {
      if source.identity != found.identity { return .proceed }
      if options.removesBeforeOpening, sourceLink.kind == .symbolicLink,
        foundLink.kind == .symbolicLink
      {
        return .proceed
      }
    }
    let isSameEntry = sourceLink.identity == foundLink.identity
    if options.backup != nil { return outcomeWithBackup(options, isSameEntry) }
    if options.removesBeforeOpening {
      if foundLink.kind == .symbolicLink { return .proceed }
      if isSameEntry && foundLink.links > 1 && !isSameName { return .proceed }
    }
    if sourceLink.kind != .symbolicLink && foundLink.kind != .symbolicLink {
      if !isSameEntry { return .proceed }
      if createsHardLinks { return .leave }
    }
    if options.product == .symbolicLinks && foundLink.kind == .symbolicLink { return .proceed }
    if options.following == .nothing {
      guard let sourceTarget, let foundTarget, sourceTarget.identity == foundTarget.identity
      else { return .proceed }
      if createsHardLinks { return foundLink.kind == .symbolicLink ? .proceed : .leave }
    }
    return .refuse
  }

  private func outcomeForTwoLinks(_ options: OverwriteOptions) -> Outcome {
    if isSameName { return .refuse }
    return source.identity == found.identity && options.backup == nil ? .leave : .proceed
  }

  /// Returns the outcome with backups, which keep the old file.
  ///
  /// The copy is refused only if the backup would rename the source or the target of its link.
  private func outcomeWithBackup(_ options: OverwriteOptions, _ isSameEntry: Bool) -> Outcome {
    if isSameEntry { return isSameName ? .refuse : .proceed }
    let losesTarget =
      options.following != .nothing && sourceLink.kind == .symbolicLink
      && foundLink.kind != .symbolicLink
    return losesTarget ? .refuse : .proceed
  }
}
