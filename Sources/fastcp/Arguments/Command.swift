import FileCopy

/// The copy that the command line requests.
struct CopyRequest {
  var options = CopyOptions()
  var sources: [BytePath] = []
  var destination = BytePath("")
  var placement = CopyPlacement.automatic
  var output = OutputOptions()
  var exitCodes = ExitCodes.standard
  /// The part of the copy, and the variables that chose it.
  var shard: ShardRequest?
  var isVerbose = false
  var explainsMethods = false
  /// The warnings to print before the copy starts.
  var warnings: [String] = []

  /// The numbers that `--jobs` accepts.
  static let jobRange = 1...1024
}

/// The meaning of a command line.
enum Command {
  case help
  case version
  case copy(CopyRequest)
  case check(CheckRequest)

  init(
    _ arguments: ParsedArguments,
    backups: BackupRequest.Defaults = .init(),
    hasSecurityContexts: Bool = false,
    variable: (String) -> String? = { _ in nil }
  ) throws(UsageError) {
    var requested = RequestedOptions()
    for option in arguments.options {
      switch option.kind {
      case .help:
        self = .help
        return
      case .version:
        self = .version
        return
      case .shard: try requested.noteShard(option, variable)
      default: try requested.note(option)
      }
    }
    if let error = arguments.error { throw error }
    if let request = try CheckRequest(arguments) {
      self = .check(request)
      return
    }
    self = .copy(try requested.request(arguments.operands, backups, hasSecurityContexts))
  }
}

/// The options that were recorded so far. Later ones override or complete earlier ones.
private struct RequestedOptions {
  private var request = CopyRequest()
  private var target: BytePath?
  private var following: CopyOptions.Following?
  private var preserving = PreserveRequest()
  private var overwriting = OverwriteRequest()
  private var backup = BackupRequest()
  private var filter = FilterRequest()
  private var list = NameList()
  private var manifest = ManifestRequest()
  private var stripsSlashes = false
  private var products: Set<CopyProduct> = []

  init() {}

  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .help, .version, .check, .shard: break
    case .archive:
      following = .nothing
      request.options.tree.isRecursive = true
      preserving.noteArchive()
    case .linksAsLinks:
      following = .nothing
      preserving.preserved.insert(.links)
    case .followNone: following = .nothing
    case .followOperands: following = .operands
    case .followAll: following = .everything
    case .preserve: try preserving.include(option.value)
    case .noPreserve: try preserving.exclude(option.value)
    case .context: preserving.label(option.value)
    case .oneFileSystem: request.options.tree.staysOnFileSystem = true
    case .reflink: try request.options.reflink(option.value)
    case .sparse: try request.options.sparse(option.value)
    case .recursive: request.options.tree.isRecursive = true
    case .targetDirectory:
      if target != nil { throw .repeatedTargetDirectory }
      target = option.value
    case .noTargetDirectory: request.placement = .exactly
    case .attributesOnly: request.options.contents.copiesBytes = false
    case .parents: request.options.tree.keepsParents = true
    case .keepDirectoryLinks: request.options.tree.keepsDirectoryLinks = true
    case .contents: request.options.tree.readsSpecialFiles = true
    case .hardLinks: products.insert(.hardLinks)
    case .symbolicLinks: products.insert(.symbolicLinks)
    case .stripSlashes: stripsSlashes = true
    case .verbose: request.isVerbose = true
    case .debug:
      request.isVerbose = true
      request.explainsMethods = true
    case .jobs: request.options.jobs = try CopyRequest.jobs(option.value)
    case .progress, .statistics, .json, .quiet, .dryRun, .failFast, .atomic, .verify, .direct,
      .dropCache, .byteRate, .paced, .sync, .durable, .resume, .tolerateChanges:
      try request.note(option)
    case .exclude, .include, .excludeFrom, .gitIgnore, .gitIgnoredOnly:
      try filter.note(option)
    case .filesFrom, .null: try list.note(option)
    case .alsoTo: request.options.furtherDestinations.append(option.value ?? "")
    case .manifest, .checksum: try manifest.note(option)
    case .reflinkDest, .linkDest:
      if request.options.earlier != nil { throw .repeatedEarlierCopy }
      request.options.earlier = EarlierCopy(
        option.value ?? "",
        sharing: option.kind == .linkDest ? .hardLinks : .blocks
      )
    case .exitCodes: request.exitCodes = try ExitCodes.requested(by: option.value)
    case .delete, .maxDelete, .deleteFromEmptySource: try request.noteDeletion(option)
    case .backup, .suffix, .force, .interactive, .noClobber, .update, .removeDestination:
      try noteOverwriting(option)
    }
  }

  mutating func noteShard(
    _ option: ParsedArguments.Option,
    _ variable: (String) -> String?
  ) throws(UsageError) {
    request.shard = try ShardRequest(option.value ?? "", variable)
    request.options.shard = request.shard?.shard
  }

  private mutating func noteOverwriting(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .backup: backup.note(control: option.value)
    case .suffix: backup.note(suffix: option.value)
    case .force: request.options.existing.removesAfterFailedOpen = true
    case .interactive, .noClobber, .update: try overwriting.note(option)
    case .removeDestination: request.options.existing.removesBeforeOpening = true
    default: break
    }
  }

  /// Returns the copy that the recorded options and the operands request.
  consuming func request(
    _ operands: [BytePath],
    _ backups: BackupRequest.Defaults,
    _ hasSecurityContexts: Bool
  ) throws(UsageError) -> CopyRequest {
    // A recursive copy without `-l` copies symbolic links as links. Any other copy follows them.
    let keepsLinks = request.options.tree.isRecursive && !products.contains(.hardLinks)
    request.options.tree.following = following ?? (keepsLinks ? .nothing : .everything)
    if products.count > 1 { throw .bothKindsOfLinks }
    request.options.tree.product = products.first ?? .copies
    request.options.manifest = try manifest.manifest(for: request.options)
    overwriting.settle(&request.options)
    if backup.isRequested, let error = overwriting.backupError { throw error }
    if request.options.contents.clones == .always && request.options.contents.holes != .automatic {
      throw .cloneWithHoles
    }
    request.options.existing.backup = try backup.naming(backups)
    if let error = request.deletionError { throw error }
    // A list selects some entries of a directory. The others are no reason to remove any.
    if list.isRequested && request.options.deletion.removesExtraneous {
      throw .cannotCombine("--delete", "--files-from")
    }
    request.warnings += try preserving.settle(&request.options, hasSecurityContexts)
    if let other = request.optionAgainstResume(excludesTimes: preserving.excludesTimes) {
      throw .cannotCombine("--resume", other)
    }
    if let error = request.earlierCopyError(excludesTimes: preserving.excludesTimes) { throw error }
    if let error = request.destinationsError { throw error }
    if let other = request.optionAgainstQuiet { throw .cannotCombine("--quiet", other) }
    // With one job, the user is asked one question at a time.
    if request.options.existing.rule == .ask { request.options.jobs = 1 }
    request.options.tree.filter = try filter.filter()
    let asks = request.options.existing.rule == .ask
    if let names = try list.names(alsoReadsAnswers: asks) {
      try request.place(operands, target, followedBy: names)
    } else {
      try request.place(operands, target)
    }
    if let error = request.shardError { throw error }
    if stripsSlashes { request.sources = request.sources.map(RequestedOptions.withoutSlashes) }
    return request
  }

  private static func withoutSlashes(_ path: BytePath) -> BytePath {
    let end = path.bytes.lastIndex { $0 != UInt8(ascii: "/") }
    return end.map { BytePath(bytes: path.bytes[...$0]) } ?? path
  }
}

extension CopyOptions {
  /// Applies `--reflink`. Without a value it means `always`.
  fileprivate mutating func reflink(_ value: BytePath?) throws(UsageError) {
    let words = WordList<CloneRule>(
      context: "--reflink",
      words: [(.automatic, ["auto"]), (.always, ["always"]), (.never, ["never"])]
    )
    contents.clones = if let value { try words.meaning(of: value) } else { .always }
  }

  /// Applies `--sparse`.
  fileprivate mutating func sparse(_ value: BytePath?) throws(UsageError) {
    let words = WordList<HoleRule>(
      context: "--sparse",
      words: [(.never, ["never"]), (.automatic, ["auto"]), (.always, ["always"])]
    )
    contents.holes = try words.meaning(of: value ?? "")
  }
}

extension CopyRequest {
  /// Returns the number that `--jobs` requests.
  static func jobs(_ value: BytePath?) throws(UsageError) -> Int {
    let value = value ?? ""
    guard let jobs = Int(String(decoding: value.bytes, as: UTF8.self)),
      CopyRequest.jobRange.contains(jobs)
    else { throw .badJobs(value) }
    return jobs
  }

  /// Separates the sources from the destination.
  fileprivate mutating func place(
    _ operands: [BytePath],
    _ target: BytePath?
  ) throws(UsageError) {
    guard let first = operands.first else { throw .noOperand }
    if let target {
      if placement == .exactly { throw .bothTargetKinds }
      (sources, destination, placement) = (operands, target, .intoDirectory)
      return
    }
    guard operands.count > 1, let last = operands.last else { throw .noDestination(first) }
    if placement == .exactly && operands.count > 2 { throw .extraOperand(operands[2]) }
    (sources, destination) = (operands.dropLast(), last)
  }

  /// Separates the sources from the directory that they are copied into. Names of a list follow.
  fileprivate mutating func place(
    _ operands: [BytePath],
    _ target: BytePath?,
    followedBy names: [BytePath]
  ) throws(UsageError) {
    if placement == .exactly { throw .listWithExactName }
    guard let directory = target ?? operands.last else { throw .noOperand }
    let own = target == nil ? Array(operands.dropLast()) : operands
    sources = own + names
    (destination, placement) = (directory, .intoDirectory)
  }
}
