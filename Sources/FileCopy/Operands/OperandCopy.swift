import IOChannelsSystem

/// The copies of the operands, which begin in their order.
///
/// It runs on the calling thread. All threads copy the contents of an operand. An operand waits for
/// all earlier ones if one of them may still create its files.
struct OperandCopy {
  private let parts: CopyParts
  private let worker: CopyWorker
  private let options: CopyOptions
  /// The directory that the operands are copied into.
  private let place: CopyDirectory
  /// Whether there is more than one operand, so that they may meet in the destination.
  private let areSeveral: Bool
  /// The directories that contain a source which is not a directory itself.
  private var seenSources: [Source: [BytePath]] = [:]
  private var operandCount = 0
  private var made: [BytePath: Made] = [:]
  private var overlap: OperandOverlap
  /// Whether another thread was given a file whose further names must be linked to its copy.
  private var hasLeftNames = false

  private struct Source: Hashable {
    var name: BytePath
    var identity: FileIdentity
    /// The directory that contains it; nil unless the paths of the operands are kept.
    var parent: FileIdentity?
  }

  /// An operand that was begun under a name. Whether it was created is known after its copy.
  private struct Made {
    var kind: FileKind
    var operand: CopyOperand
  }

  init(
    _ parts: CopyParts,
    _ worker: CopyWorker,
    place: CopyDirectory,
    areSeveral: Bool
  ) {
    self.parts = parts
    self.worker = worker
    options = worker.context.options
    self.place = place
    self.areSeveral = areSeveral
    overlap = OperandOverlap(place: place.destination.identity)
  }

  /// Begins the copy of one operand.
  mutating func begin(_ source: BytePath, as name: BytePath) {
    do throws(CopyError) {
      if options.tree.keepsParents {
        try beginBelowParents(source, as: name)
      } else {
        try parts.held.withPair(of: place) { (pair) throws(CopyError) in
          try begin(source, as: name, in: place, pair)
        }
      }
    } catch {
      worker.fail(error)
    }
  }

  /// Creates the directories on a source's path and copies the source into them.
  private mutating func beginBelowParents(
    _ source: BytePath,
    as name: BytePath
  ) throws(CopyError) {
    // Each operand sets the metadata of the directories on its path when it is complete.
    worker.group.drain(worker)
    var opened: [CopyDirectory] = []
    defer {
      // A path that existed keeps its metadata. If a part of it was created, all of it gets the
      // metadata of the source.
      let isDescribed = opened.contains(where: \.isNew)
      for directory in opened.reversed() {
        if !isDescribed { directory.set(.keepsMetadata) }
        parts.held.release(directory)
        parts.walk.complete(directory, worker)
      }
      worker.group.drain(worker)
    }
    var directory = place
    let path = OperandNames.split(source)
    // The whole path is kept, in which `..` is the parent directory as well.
    let name: BytePath = OperandNames.isParent(source) ? ".." : name
    for part in OperandNames.components(path.directory) {
      directory = try parts.walk.directories.openParent(part, in: directory, worker)
      opened.append(directory)
    }
    try parts.held.withPair(of: directory) { (pair) throws(CopyError) in
      try begin(opened.isEmpty ? source : path.name, as: name, in: directory, pair)
    }
  }

  private mutating func begin(
    _ source: BytePath,
    as name: BytePath,
    in place: CopyDirectory,
    _ pair: DirectoryPair
  ) throws(CopyError) {
    let follows = options.tree.following != .nothing
    let key = place.destinationPath(name)
    let joins = mayJoin(key)
    if joins {
      worker.group.drain(worker)
      parts.links.uniteAll(worker)
    } else if !made.isEmpty, overlap.mayShow(source, following: follows, in: pair) {
      worker.group.drain(worker)
    }
    let status = try attempt(
      .status,
      place.sourcePath(source),
      try pair.source.status(of: source, following: follows)
    )
    // The first name of a file may soon be another file.
    if joins { parts.links.forgetAll() }
    let isDirectory = status.kind == .directory
    if isDirectory && !options.tree.isRecursive {
      throw CopyError(.omittedDirectory, place.sourcePath(source))
    }
    if options.tree.keepsParents && place.isNew && OperandNames.isParent(name) {
      // As with cp, the operand's directory would be created, not found.
      throw CopyError(.createDirectory, key, .fileExists)
    }
    if areSeveral, !isDirectory, options.existing.backup == nil,
      !recordSource(source, status, in: place, pair)
    {
      worker.context.warn(CopyError(.repeatedFile, place.sourcePath(source)))
      worker.context.monitor.shared.omit(bytes: SourceCount.bytes(of: status, options))
      worker.context.monitor.shared.countFile()
      return
    }
    if !isDirectory, try isOfOtherPart(name, status, in: place) { return }
    let isShared = areSeveral && mayBeShared(name, status, in: pair)
    if isShared { worker.group.drain(worker) }
    operandCount += 1
    let operand = CopyOperand(
      source: place.sourcePath(source),
      destination: key,
      number: operandCount
    )
    var job = FileJob(
      directory: place,
      sourceName: source,
      destinationName: name,
      operand: operand,
      // A slash at the end of a link's name stands for the directory that it points to.
      followsSource: follows || isDirectory,
      readsAnything: !options.tree.isRecursive || options.tree.readsSpecialFiles,
      expected: status.identity
    )
    job.writesThrough = options.writesThroughLinks(for: status.kind)
    var item = CopyItem(job, in: pair, worker)
    guard try clearWay(for: &item, status) else {
      if !isDirectory { worker.context.monitor.shared.countFile() }
      return
    }
    if areSeveral { made[key] = Made(kind: status.kind, operand: operand) }
    start(item, status, isAlone: isShared)
  }

  /// Whether another part of the copy has an operand that is not a directory.
  private func isOfOtherPart(
    _ name: BytePath,
    _ source: FileStatus,
    in place: CopyDirectory
  ) throws(CopyError) -> Bool {
    guard let shard = ShardRule(for: options) else { return false }
    let path = place.pathInCopy(name)
    if !shard.includes(path: path, source) { return true }
    try ShardReports.refuseReport(at: path, place.destinationPath(name))
    return false
  }

  /// Copies an operand, or leaves it to an idle thread.
  private mutating func start(_ item: CopyItem, _ source: FileStatus, isAlone: Bool) {
    let kind = source.kind
    if kind == .directory {
      // As with cp, names inside are linked to the copies of earlier operands, which come first.
      if hasLeftNames { worker.group.drain(worker) }
      hasLeftNames = false
      parts.walk.enter(item.job, worker)
      // An observer receives the files of an operand before those of the next one, and so does the
      // user who is asked about them.
      if worker.context.operationObserver != nil || options.existing.rule == .ask {
        worker.group.drain(worker)
      }
      return
    }
    item.announce()
    if areSeveral && !isAlone && worker.group.hasIdleThreads {
      hasLeftNames = hasLeftNames || parts.links.areKept(for: source, item)
      worker.add(.operand(item.job, kind), to: item.directory)
    } else {
      parts.walk.entries.copy(item, kind: kind)
    }
  }

  /// Whether an operand may write to files that earlier ones created, as far as names show.
  private func mayJoin(_ path: BytePath) -> Bool {
    if made.isEmpty { return false }
    // The contents of a directory are copied into the place itself, under unknown names.
    let all = place.destinationPath(".")
    return path == all || made[all] != nil || made[path] != nil
  }

  /// Whether an operand may be written to a file that another operand has under another name.
  ///
  /// It is copied alone then, so that the last operand wins, or the first name of a file.
  private func mayBeShared(
    _ name: BytePath,
    _ source: FileStatus,
    in pair: DirectoryPair
  ) -> Bool {
    if source.kind == .directory { return false }
    // A newer file may be kept, and all names of the source are then linked to it.
    if options.existing.updatesOnly && source.links > 1 { return true }
    if options.isAtomic || options.existing.backup != nil || options.existing.removesBeforeOpening {
      return false
    }
    guard let found = try? pair.destination.status(of: name) else { return false }
    // The first name is written to the existing file. A further one replaces it by a link.
    if options.metadata.preserved.contains(.links) && source.links > 1 { return true }
    return found.kind == .symbolicLink
      || (found.kind == .regular && found.links > 1 && !options.metadata.preserved.contains(.links))
  }

  /// Examines the existing file, and removes it or backs it up as the options demand.
  ///
  /// - Returns: False if the existing file is left alone and nothing is copied.
  private func clearWay(for item: inout CopyItem, _ source: FileStatus) throws(CopyError) -> Bool {
    let earlier = made[item.destinationPath].flatMap { $0.operand.isCreated ? $0.kind : nil }
    let leadsThroughLink = earlier == .symbolicLink && item.job.writesThrough
    // As with cp, the file that the link points to is examined first. It may be kept.
    let isClear = try parts.walk.entries.clearWay(
      for: &item,
      source,
      isJustCreated: earlier != nil && !leadsThroughLink
    )
    if isClear && leadsThroughLink,
      (try? item.pair.destination.status(of: item.job.destinationName))?.kind == .symbolicLink
    {
      throw CopyError(.throughJustCreatedLink, item.sourcePath, other: item.destinationPath)
    }
    return isClear
  }

  /// Records a source.
  ///
  /// - Returns: False if it repeats another one: a name of the same file in the same directory,
  ///   under any path.
  private mutating func recordSource(
    _ source: BytePath,
    _ status: FileStatus,
    in place: CopyDirectory,
    _ pair: DirectoryPair
  ) -> Bool {
    let parts = OperandNames.split(source)
    let name = parts.name.bytes.split(separator: UInt8(ascii: "/")).first ?? []
    var key = Source(name: BytePath(bytes: name), identity: status.identity)
    if options.tree.keepsParents {
      key.parent =
        place.parent == nil
        ? identity(ofDirectory: parts.directory, in: pair) : place.source.identity
    }
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
