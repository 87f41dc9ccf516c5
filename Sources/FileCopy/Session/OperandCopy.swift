internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// Goes through the operands in their order and decides what each one is.
///
/// Runs on the calling thread. What an operand holds is copied by all threads; an operand whose
/// files an earlier one may still be making waits for all before it.
struct OperandCopy {
  let session: CopySession
  let worker: CopyWorker
  /// The place that the operands come from and go to.
  let place: CopyDirectory
  /// Whether several operands may meet in the destination.
  let areSeveral: Bool
  /// The directories in which a source was found.
  private var seenSources: [Source: [BytePath]] = [:]
  private var made: [BytePath: Made] = [:]
  private var meeting: OperandMeeting

  private struct Source: Hashable {
    var name: BytePath
    var identity: FileIdentity
  }

  /// What was begun under a name; whether it came to be is known once it is done.
  private struct Made {
    var kind: FileKind
    var operand: CopyOperand
  }

  init(session: CopySession, worker: CopyWorker, place: CopyDirectory, areSeveral: Bool) {
    self.session = session
    self.worker = worker
    self.place = place
    self.areSeveral = areSeveral
    meeting = OperandMeeting(place: place.destination.identity)
  }

  /// Begins the copy of one operand.
  mutating func begin(_ source: BytePath, as name: BytePath) {
    do throws(CopyError) {
      if session.options.keepsParents {
        try beginBelowParents(source, as: name)
      } else {
        try session.held.withPair(of: place) { (pair) throws(CopyError) in
          try begin(source, as: name, in: place, pair)
        }
      }
    } catch {
      session.fail(error, worker)
    }
  }

  /// Makes the directories on a source's path and copies it there.
  private mutating func beginBelowParents(
    _ source: BytePath,
    as name: BytePath
  ) throws(CopyError) {
    // Each operand describes the directories on its path when it is done.
    worker.crew.drain(worker)
    var opened: [CopyDirectory] = []
    defer {
      // A path that was there already is not the copy's: only where a part of it was made is all
      // of it described.
      let isDescribed = opened.contains(where: \.isNew)
      for directory in opened.reversed() {
        if !isDescribed { directory.keepDescription() }
        session.held.release(directory)
        session.complete(directory, worker)
      }
      worker.crew.drain(worker)
    }
    var directory = place
    let parts = OperandNames.split(source)
    // The whole path is kept, and `..` leads to the directory above there as well.
    let name: BytePath = OperandNames.isParent(source) ? ".." : name
    for part in OperandNames.components(parts.directory) {
      directory = try session.openParent(part, in: directory, worker)
      opened.append(directory)
    }
    try session.held.withPair(of: directory) { (pair) throws(CopyError) in
      try begin(opened.isEmpty ? source : parts.name, as: name, in: directory, pair)
    }
  }

  private mutating func begin(
    _ source: BytePath,
    as name: BytePath,
    in place: CopyDirectory,
    _ pair: DirectoryPair
  ) throws(CopyError) {
    let options = session.options
    let follows = options.following != .nothing
    let key = place.destinationPath(name)
    if mayJoin(key) {
      worker.crew.drain(worker)
      session.uniteAllLinks(worker)
      // What was the first name of a file may soon be another file.
      session.links.withLock { $0.forgetAll() }
    } else if !made.isEmpty, meeting.mayShow(source, following: follows, in: pair) {
      worker.crew.drain(worker)
    }
    let status: FileStatus
    do throws(SystemError) {
      status = try pair.source.status(of: source, following: follows)
    } catch {
      throw CopyError(.status, place.sourcePath(source), error)
    }
    let isDirectory = status.kind == .directory
    if isDirectory && !options.isRecursive {
      throw CopyError(.omittedDirectory, place.sourcePath(source))
    }
    if options.keepsParents && place.isNew && OperandNames.isParent(name) {
      // As with cp, the operand's directory would be created, not found.
      throw CopyError(.createDirectory, key, .fileExists)
    }
    if areSeveral, isDirectory || options.backup == nil, !recordSource(source, status, in: pair) {
      session.warn(CopyError(isDirectory ? .repeatedDirectory : .repeatedFile, source))
      return
    }
    let isShared = areSeveral && mayBeShared(name, status, in: pair)
    if isShared { worker.crew.drain(worker) }
    let operand = CopyOperand(source: place.sourcePath(source), destination: key)
    var job = FileJob(
      directory: place,
      sourceName: source,
      destinationName: name,
      operand: operand,
      // A slash behind a link's name asks for the directory it leads to.
      followsSource: follows || isDirectory,
      readsAnything: !options.isRecursive || options.readsSpecialFiles,
      expected: status.identity
    )
    job.writesThrough =
      (status.kind == .regular
        || (job.readsAnything && status.kind != .symbolicLink && !isDirectory))
      && options.product == .copies && options.backup == nil && !options.removesBeforeOpening
    guard try check(&job, status, in: pair) else { return }
    if areSeveral { made[key] = Made(kind: status.kind, operand: operand) }
    if isDirectory {
      session.enter(job, worker)
      // Whoever hears of files hears of an operand's before those of the next one.
      if options.observer?.observesOperations ?? false { worker.crew.drain(worker) }
      return
    }
    session.announce(job)
    if areSeveral && !isShared && worker.crew.isHungry {
      session.add(.operand(job, status.kind), to: place, worker)
    } else {
      session.copyNonDirectory(job, kind: status.kind, in: pair, worker)
    }
  }

  /// Whether an operand may write to what earlier ones made, as far as names tell.
  private func mayJoin(_ path: BytePath) -> Bool {
    if made.isEmpty { return false }
    // The content of a directory goes into the place itself, under names that are not known here.
    let all = place.destinationPath(".")
    return path == all || made[all] != nil || made[path] != nil
  }

  /// Whether an operand may be written to a file that another operand has under another name: it
  /// is copied alone then, so that the last one wins.
  private func mayBeShared(
    _ name: BytePath,
    _ source: FileStatus,
    in pair: DirectoryPair
  ) -> Bool {
    let options = session.options
    if source.kind == .directory { return false }
    // A newer file may be kept, and all names of the source become names of it.
    if options.updatesOnly && source.links > 1 { return true }
    if options.isAtomic || options.backup != nil || options.removesBeforeOpening { return false }
    guard let found = try? pair.destination.status(of: name) else { return false }
    return found.kind == .symbolicLink
      || (found.kind == .regular && found.links > 1 && !options.preserved.contains(.links))
  }

  /// Looks at what has the destination's name and clears the way.
  ///
  /// - Returns: False when it is left alone.
  private func check(
    _ job: inout FileJob,
    _ source: FileStatus,
    in pair: DirectoryPair
  ) throws(CopyError) -> Bool {
    let name = job.destinationName
    let earlier = made[job.destinationPath].flatMap { $0.operand.isMade ? $0.kind : nil }
    if earlier == .symbolicLink && job.writesThrough,
      (try? pair.destination.status(of: name))?.kind == .symbolicLink
    {
      throw CopyError(.throughJustCreatedLink, job.sourcePath, other: job.destinationPath)
    }
    return try session.clearWay(
      for: &job,
      source,
      isJustMade: earlier != nil,
      in: pair,
      worker
    )
  }

  /// Records a source, which repeats another one with the same name and file in the same directory.
  ///
  /// - Returns: False if it was recorded before, under whatever path.
  private mutating func recordSource(
    _ source: BytePath,
    _ status: FileStatus,
    in pair: DirectoryPair
  ) -> Bool {
    let parts = OperandNames.split(source)
    let name = parts.name.bytes.split(separator: UInt8(ascii: "/")).first ?? []
    let key = Source(name: BytePath(bytes: name), identity: status.identity)
    let earlier = seenSources[key] ?? []
    if earlier.contains(parts.directory) { return false }
    if !earlier.isEmpty, let parent = identity(ofDirectory: parts.directory, in: pair),
      earlier.contains(where: { identity(ofDirectory: $0, in: pair) == parent })
    {
      return false
    }
    seenSources[key] = earlier + [parts.directory]
    return true
  }

  private func identity(ofDirectory path: BytePath, in pair: DirectoryPair) -> FileIdentity? {
    (try? pair.source.status(of: path.isEmpty ? "." : path, following: true))?.identity
  }
}
