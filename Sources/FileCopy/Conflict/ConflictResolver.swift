internal import IOChannelsLocks
import IOChannelsSystem

/// The decisions about existing files, which are kept, removed or backed up as the options demand.
final class ConflictResolver: Sendable {
  /// The way to continue with a name.
  enum Outcome {
    /// The source is copied.
    case copy
    /// The existing file is left alone, and nothing is copied.
    case skip
    /// The existing file, which has a status, counts as the copy, and further names of the source
    /// are linked to it.
    ///
    /// Its metadata are set again if those of its source may have changed since the copy.
    case keep(FileStatus, updatesMetadata: Bool)
  }

  private let effects: any CopyEffects
  /// The remover of entries of another kind than their sources; nil unless it is requested.
  private let remover: ExtraneousRemover?

  init(_ effects: any CopyEffects, _ remover: ExtraneousRemover? = nil) {
    self.effects = effects
    self.remover = remover
  }

  /// Examines the existing file, asks the user, and removes it or backs it up.
  ///
  /// `isJustCreated` states that this copy created the file for an earlier operand.
  func resolve(
    _ item: inout CopyItem,
    for source: FileStatus,
    isJustCreated: Bool = false
  ) throws(CopyError) -> Outcome {
    guard let found = try existing(item, source) else { return .copy }
    let options = item.context.overwriteOptions(for: item.job)
    var plan = OverwritePlan(
      source: source,
      found: found,
      sameFile: sameFile(item, source, found)
    )
    plan.isJustCreated = isJustCreated
    // Names in a directory are no dots.
    plan.sourceIsDot = item.job.operand != nil && OperandNames.isDot(item.job.sourceName)
    if let backup = item.context.options.existing.backup {
      plan.sourceIsBackup = isBackup(item, source, backup)
    }
    plan.isDangling =
      options.rule != .always && found.kind == .symbolicLink && item.leadsNowhere
    if options.updatesOnly, options.preserved.contains(.timestamps),
      source.modified > found.modified
    {
      plan.timeStep = effects.timeStep(of: found, item)
    }
    if options.resumes && !isJustCreated {
      plan.isComplete = try isComplete(item, source, found)
      // An older file is replaced anyway.
      let isOlder = source.modified.stored(inStepsOf: plan.timeStep) > found.modified
      if options.updatesOnly && !plan.isComplete && !isOlder {
        plan.isPartial = try ExistingContents(item, found).arePartial(of: source)
      }
    }
    var decision = plan.decision(options)
    if decision == .ask {
      plan.answer = effects.confirms(item, over: found)
      decision = plan.decision(options)
    }
    switch decision {
    case .write: break
    case .leave, .ask:
      // As with cp, the answer no is not a success.
      if plan.answer == false { item.worker.report.declinedCount += 1 }
      return .skip
    case .keep:
      // Files that `-n` and `-i` protect keep their metadata, too.
      let mayDiffer =
        plan.isComplete && options.rule == .always
        && MetadataChange(item, source, found).isPossible
      return .keep(found, updatesMetadata: mayDiffer)
    case .remove:
      try effects.remove(item)
      item.job.existingWasRemoved = true
    case .replaceKind:
      try remover?.checkEntry(of: item, for: source, over: found)
      if found.kind == .directory {
        try remover?.removeEntry(of: item, over: found)
      } else {
        try effects.remove(item)
      }
      item.job.existingWasRemoved = true
    case .backUp:
      if let backup = item.context.options.existing.backup {
        item.job.backup = try effects.backUp(item, backup)
      }
    case .refuse(let problem): throw refusal(problem, item)
    }
    return .copy
  }

  /// Returns the status of the existing file, nil if there is none or it is removed anyway.
  private func existing(_ item: CopyItem, _ source: FileStatus) throws(CopyError) -> FileStatus? {
    // The options are not copied for each file, since they hold several references.
    let context = item.context
    // A link to a directory may be used as the directory.
    let follows =
      item.job.writesThrough
      || (source.kind == .directory && context.options.tree.keepsDirectoryLinks)
    do throws(SystemError) {
      return try item.pair.destination.status(of: item.job.destinationName, following: follows)
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return nil
      case .tooManySymbolicLinkLevels
      where follows && context.options.existing.removesAfterFailedOpen:
        return nil
      default: throw CopyError(.status, item.destinationPath, error)
      }
    }
  }

  /// Whether the existing file is a complete copy of an interrupted run.
  private func isComplete(
    _ item: CopyItem,
    _ source: FileStatus,
    _ found: FileStatus
  ) throws(CopyError) -> Bool {
    guard ResumeRule.mayBeComplete(found, of: source) else { return false }
    if source.kind == .symbolicLink && !hasSameTarget(item, source) { return false }
    if item.job.writesThrough {
      // The copy replaces a link, and is not written to its target.
      let name = item.job.destinationName
      guard (try? item.pair.destination.status(of: name))?.kind == found.kind else { return false }
    }
    if MetadataChange(item, source, found).needsCopy { return false }
    let isExact = found.modified == source.modified
    let step = isExact ? 1 : effects.timeStep(of: found, item)
    guard ResumeRule.isComplete(found, of: source, timeStep: step) else { return false }
    if source.kind != .regular || source.identity == found.identity { return true }
    // Later writes to the source may have the same time, as far as the destination stores it.
    if isExact && !item.context.options.contents.verifies { return true }
    return try ExistingContents(item, found).areEqual(to: source)
  }

  /// Whether two symbolic links have the same target, which takes no longer than their times.
  private func hasSameTarget(_ item: CopyItem, _ source: FileStatus) -> Bool {
    let length = Int(clamping: source.size)
    let (name, other) = (item.job.sourceName, item.job.destinationName)
    guard let target = try? item.pair.source.target(ofLink: name, length: length),
      let found = try? item.pair.destination.target(ofLink: other, length: length)
    else { return false }
    return target == found
  }

  private func refusal(_ problem: CopyProblem, _ item: CopyItem) -> CopyError {
    switch problem {
    case .sameFile: CopyError(problem, item.sourcePath, other: item.destinationPath)
    default: CopyError(problem, item.destinationPath, other: item.sourcePath)
    }
  }

  /// Whether the source is the file that a simple backup of the destination would replace.
  private func isBackup(_ item: CopyItem, _ source: FileStatus, _ naming: BackupNaming) -> Bool {
    let simple = BackupNames(naming: naming, name: item.job.destinationName).simple
    return OperandNames.split(item.job.sourceName).name == simple
      && (try? item.pair.destination.status(of: simple, following: true))?.identity
        == source.identity
  }
}

/// Copies of a file onto itself.
extension ConflictResolver {
  private func sameFile(
    _ item: CopyItem,
    _ source: FileStatus,
    _ found: FileStatus
  ) -> SameFileRule.Outcome {
    let follows = item.context.following(for: item.job) != .nothing
    // Only a link that is not followed can lead to the other file. This is examined first, because
    // the comparison of names is slow.
    let mayLead = !follows && (source.kind == .symbolicLink || found.kind == .symbolicLink)
    if source.identity != found.identity && !mayLead { return .proceed }
    let (pair, sourceName, name) = (item.pair, item.job.sourceName, item.job.destinationName)
    var (sourceLink, foundLink) = (source, found)
    if follows {
      guard let below = try? pair.source.status(of: sourceName),
        let above = try? pair.destination.status(of: name)
      else { return .proceed }
      (sourceLink, foundLink) = (below, above)
    }
    let rule = SameFileRule(
      source: source,
      found: found,
      sourceLink: sourceLink,
      foundLink: foundLink,
      sourceTarget: sourceLink.kind == .symbolicLink
        ? try? pair.source.status(of: sourceName, following: true) : sourceLink,
      foundTarget: foundLink.kind == .symbolicLink
        ? try? pair.destination.status(of: name, following: true) : foundLink,
      isSameName: isSameName(item)
    )
    return rule.outcome(item.context.overwriteOptions(for: item.job))
  }

  /// Whether source and destination are the same name in the same directory.
  private func isSameName(_ item: CopyItem) -> Bool {
    let parts = OperandNames.split(item.job.sourceName)
    guard OperandNames.nameInDirectory(of: item.job.sourceName) == item.job.destinationName else {
      return false
    }
    let inside = item.job.operand == nil ? item.directory.source.identity : nil
    let parent =
      inside
      ?? (try? item.pair.source.status(
        of: parts.directory.isEmpty ? "." : parts.directory,
        following: true
      ))?
      .identity
    return parent == item.directory.destination.identity
  }
}
