internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

extension CopySession {
  /// Whether what has a name inside a tree is looked at before its copy, and not just when it is
  /// met in the way.
  var looksFirst: Bool {
    options.overwriting != .always || options.updatesOnly || options.backup != nil
      || options.removesBeforeOpening || options.product != .copies
      || options.isDryRun || options.observer?.observesOperations ?? false
  }

  /// Clears the way for the copy of a name: asks, removes, backs up, as the options say.
  ///
  /// - Returns: False when what is there is left alone and nothing is copied.
  func clearWay(
    for job: inout FileJob,
    _ source: FileStatus,
    isJustMade: Bool = false,
    in pair: DirectoryPair,
    _ worker: CopyWorker
  ) throws(CopyError) -> Bool {
    let options = options(for: job)
    // A link to a directory may stand for the directory.
    let follows =
      job.writesThrough || (source.kind == .directory && options.keepsDirectoryLinks)
    let found: FileStatus
    do throws(SystemError) {
      found = try pair.destination.status(of: job.destinationName, following: follows)
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return true
      case .tooManySymbolicLinkLevels where options.removesAfterFailedOpen: return true
      default: throw CopyError(.status, job.destinationPath, error)
      }
    }
    var plan = OverwritePlan(
      source: source,
      found: found,
      sameFile: sameFile(job, source, found, in: pair)
    )
    plan.isJustMade = isJustMade
    plan.sourceIsDot = OperandNames.isDot(job.sourceName)
    if let backup = options.backup { plan.sourceIsBackup = isBackup(job, source, backup, in: pair) }
    if options.updatesOnly, options.preserved.contains(.timestamps),
      source.modified > found.modified
    {
      plan.timeStep = timeStep(of: found, job, in: pair)
    }
    var decision = plan.decision(options)
    if decision == .ask {
      plan.answer = ask(job, found, in: pair)
      decision = plan.decision(options)
    }
    switch decision {
    case .write: return true
    case .leave, .ask:
      // As with cp, a no is no success.
      if plan.answer == false { worker.report.declined += 1 }
      return false
    case .keep:
      // Its other names become names of what is there.
      job.isKept = true
      if !options.isDryRun { try linked(job, source, in: pair, worker) {} }
      return false
    case .remove: try remove(job, in: pair)
    case .backUp:
      if let backup = options.backup { job.backup = try backUp(job, backup, in: pair) }
    case .refuse(let problem): throw refusal(problem, job)
    }
    return true
  }

  /// The step of the times that the destination's file system stores, found out by a file that
  /// nobody sees; where none can be made, what the file's own times let guess.
  private func timeStep(of found: FileStatus, _ job: FileJob, in pair: DirectoryPair) -> Int64 {
    let device = found.identity.device
    if let known = timeSteps.withLock({ $0[device] }) { return known }
    let guess = OverwritePlan.likelyTimeStep(of: found)
    if options.isDryRun { return guess }
    do throws(CopyError) {
      var target = try openHidden(job, mode: 0o600, in: pair)
      defer { discard(&target, in: pair) }
      guard (try? target.file.setTimes(accessed: .probe, modified: .probe)) != nil,
        let step = (try? target.file.status())?.modified.stepOfProbe
      else { return guess }
      timeSteps.withLock { if $0.count < CopySession.timeStepLimit { $0[device] = step } }
      return step
    } catch {
      return guess
    }
  }

  private func refusal(_ problem: CopyError.Problem, _ job: FileJob) -> CopyError {
    switch problem {
    case .sameFile: CopyError(problem, job.sourcePath, other: job.destinationPath)
    default: CopyError(problem, job.destinationPath, other: job.sourcePath)
    }
  }

  private func ask(_ job: FileJob, _ found: FileStatus, in pair: DirectoryPair) -> Bool {
    // Nothing would come of a no.
    if options.isDryRun { return true }
    let isWritable =
      isSuperuser || found.kind == .symbolicLink
      || pair.destination.mayWrite(to: job.destinationName)
    let question = CopyQuestion(
      path: job.destinationPath,
      unwritableMode: isWritable ? nil : found.mode,
      wouldReplace: options.removesBeforeOpening || options.removesAfterFailedOpen
    )
    // Nobody to ask is as good as a no.
    return options.confirm?(question) ?? false
  }

  /// Whether the source is the file that a simple backup of the destination would replace.
  private func isBackup(
    _ job: FileJob,
    _ source: FileStatus,
    _ naming: BackupNaming,
    in pair: DirectoryPair
  ) -> Bool {
    let simple = BackupNames(naming: naming, name: job.destinationName).simple
    return OperandNames.split(job.sourceName).name == simple
      && (try? pair.destination.status(of: simple, following: true))?.identity == source.identity
  }

  private func sameFile(
    _ job: FileJob,
    _ source: FileStatus,
    _ found: FileStatus,
    in pair: DirectoryPair
  ) -> SameFileRule.Outcome {
    let options = options(for: job)
    let follows = options.following != .nothing
    if follows && source.identity != found.identity { return .proceed }
    let name = job.destinationName
    var (sourceLink, foundLink) = (source, found)
    if follows {
      guard let below = try? pair.source.status(of: job.sourceName),
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
        ? try? pair.source.status(of: job.sourceName, following: true) : sourceLink,
      foundTarget: foundLink.kind == .symbolicLink
        ? try? pair.destination.status(of: name, following: true) : foundLink,
      isSameName: isSameName(job, in: pair)
    )
    return rule.outcome(options)
  }

  private func isSameName(_ job: FileJob, in pair: DirectoryPair) -> Bool {
    let parts = OperandNames.split(job.sourceName)
    guard OperandNames.nameInDirectory(of: job.sourceName) == job.destinationName else {
      return false
    }
    let inside = job.operand == nil ? job.directory.source.identity : nil
    let parent =
      inside
      ?? (try? pair.source.status(
        of: parts.directory.isEmpty ? "." : parts.directory,
        following: true
      ))?
      .identity
    return parent == job.directory.destination.identity
  }
}
