import IOChannelsSystem

/// Whether a copy onto what may be the source itself is harmless, decided from facts alone.
struct SameFileRule {
  /// What a copy may do.
  enum Outcome: Equatable {
    /// Go on: the source stays what it is.
    case proceed
    /// Nothing, since the request is fulfilled already.
    case leave
    /// Be refused: the source would be lost.
    case refuse
  }

  /// The source as it is copied, and the destination as it would be written to.
  var source: FileStatus
  var found: FileStatus
  /// Both without following links.
  var sourceLink: FileStatus
  var foundLink: FileStatus
  /// Both with links followed, nil where they lead nowhere.
  var sourceTarget: FileStatus?
  var foundTarget: FileStatus?
  /// Whether both are the same entry of the same directory.
  var isSameName: Bool

  func outcome(_ options: CopyOptions) -> Outcome {
    let makesHardLinks = options.product == .hardLinks
    if source.identity == found.identity && makesHardLinks { return .leave }
    if options.following == .nothing {
      if source.kind == .symbolicLink && found.kind == .symbolicLink { return ofTwoLinks(options) }
    } else {
      if source.identity != found.identity { return .proceed }
      if options.removesBeforeOpening, sourceLink.kind == .symbolicLink,
        foundLink.kind == .symbolicLink
      {
        return .proceed
      }
    }
    let isSameEntry = sourceLink.identity == foundLink.identity
    if options.backup != nil { return withBackup(options, isSameEntry) }
    if options.removesBeforeOpening {
      if foundLink.kind == .symbolicLink { return .proceed }
      if isSameEntry && foundLink.links > 1 && !isSameName { return .proceed }
    }
    if sourceLink.kind != .symbolicLink && foundLink.kind != .symbolicLink {
      if !isSameEntry { return .proceed }
      if makesHardLinks { return .leave }
    }
    if options.product == .symbolicLinks && foundLink.kind == .symbolicLink { return .proceed }
    if options.following == .nothing {
      guard let sourceTarget, let foundTarget, sourceTarget.identity == foundTarget.identity
      else { return .proceed }
      if makesHardLinks { return foundLink.kind == .symbolicLink ? .proceed : .leave }
    }
    return .refuse
  }

  private func ofTwoLinks(_ options: CopyOptions) -> Outcome {
    if isSameName { return .refuse }
    return source.identity == found.identity && options.backup == nil ? .leave : .proceed
  }

  /// A backup keeps the old file; only moving the source away, or what its link leads to, loses it.
  private func withBackup(_ options: CopyOptions, _ isSameEntry: Bool) -> Outcome {
    if isSameEntry { return isSameName ? .refuse : .proceed }
    let losesTarget =
      options.following != .nothing && sourceLink.kind == .symbolicLink
      && foundLink.kind != .symbolicLink
    return losesTarget ? .refuse : .proceed
  }
}
