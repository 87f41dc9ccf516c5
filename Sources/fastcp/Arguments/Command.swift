import FileCopy

/// A copy as it was asked for.
struct CopyRequest {
  var options = CopyOptions()
  var sources: [FilePath] = []
  var destination = FilePath("")
  var placement = CopyPlacement.automatic
  var output = OutputWish()
  var isVerbose = false
  var explainsMethods = false
  /// What to say before anything is copied.
  var warnings: [String] = []
}

/// What the arguments mean.
enum Command {
  case help
  case version
  case copy(CopyRequest)

  init(
    _ arguments: ParsedArguments,
    backups: BackupWish.Defaults = .init(),
    hasSecurityContexts: Bool = false
  ) throws(UsageError) {
    var wishes = CopyWishes()
    for option in arguments.options {
      switch option.kind {
      case .help:
        self = .help
        return
      case .version:
        self = .version
        return
      default: try wishes.note(option)
      }
    }
    if let error = arguments.error { throw error }
    self = .copy(try wishes.request(arguments.operands, backups, hasSecurityContexts))
  }
}

/// What the options say, read one after the other.
private struct CopyWishes {
  private var request = CopyRequest()
  private var target: FilePath?
  private var following: CopyOptions.Following?
  private var preserving = PreserveWish()
  private var overwriting = OverwriteRequest()
  private var backup = BackupWish()
  private var stripsSlashes = false
  private var products: Set<CopyProduct> = []

  init() {}

  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .help, .version: break
    case .archive:
      following = .nothing
      request.options.isRecursive = true
      preserving.wishExactCopies()
    case .linksAsLinks:
      following = .nothing
      preserving.preserved.insert(.links)
    case .followNone: following = .nothing
    case .followOperands: following = .operands
    case .followAll: following = .everything
    case .preserve: try preserving.wish(option.value)
    case .noPreserve: try preserving.refuse(option.value)
    case .context: preserving.label(option.value)
    case .oneFileSystem: request.options.staysOnFileSystem = true
    case .reflink: try request.options.reflink(option.value)
    case .sparse: try request.options.sparse(option.value)
    case .recursive: request.options.isRecursive = true
    case .targetDirectory:
      if target != nil { throw .repeatedTargetDirectory }
      target = option.value
    case .noTargetDirectory: request.placement = .exactly
    case .attributesOnly: request.options.copiesBytes = false
    case .parents: request.options.keepsParents = true
    case .keepDirectoryLinks: request.options.keepsDirectoryLinks = true
    case .contents: request.options.readsSpecialFiles = true
    case .hardLinks: products.insert(.hardLinks)
    case .symbolicLinks: products.insert(.symbolicLinks)
    case .stripSlashes: stripsSlashes = true
    case .verbose: request.isVerbose = true
    case .debug:
      request.isVerbose = true
      request.explainsMethods = true
    case .jobs: request.options.jobs = try CopyWishes.jobs(option.value)
    case .progress, .statistics, .json, .dryRun, .failFast, .atomic, .verify, .direct, .dropCache,
      .tolerateChanges:
      try request.note(option)
    case .backup, .suffix, .force, .interactive, .noClobber, .update, .removeDestination:
      try noteOverwriting(option)
    }
  }

  private mutating func noteOverwriting(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .backup: backup.wish(option.value)
    case .suffix: backup.wish(suffix: option.value)
    case .force: request.options.removesAfterFailedOpen = true
    case .interactive, .noClobber, .update: try overwriting.note(option)
    case .removeDestination: request.options.removesBeforeOpening = true
    default: break
    }
  }

  /// The copy that all options together ask for.
  consuming func request(
    _ operands: [FilePath],
    _ backups: BackupWish.Defaults,
    _ hasSecurityContexts: Bool
  ) throws(UsageError) -> CopyRequest {
    // In a tree, links are copied as links; a single file is what its link leads to.
    let keepsLinks = request.options.isRecursive && !products.contains(.hardLinks)
    request.options.following = following ?? (keepsLinks ? .nothing : .everything)
    if products.count > 1 { throw .bothKindsOfLinks }
    request.options.product = products.first ?? .copies
    overwriting.settle(&request.options)
    if backup.isMade, let error = overwriting.backupError { throw error }
    if request.options.clones == .always && request.options.holes != .automatic {
      throw .cloneWithHoles
    }
    request.options.backup = try backup.naming(backups)
    request.warnings += try preserving.settle(&request.options, hasSecurityContexts)
    // Somebody who is asked answers one question at a time.
    if request.options.overwriting == .ask { request.options.jobs = 1 }
    try request.place(operands, target)
    if stripsSlashes { request.sources = request.sources.map(CopyWishes.withoutSlashes) }
    return request
  }

  private static func withoutSlashes(_ path: FilePath) -> FilePath {
    let end = path.bytes.lastIndex { $0 != UInt8(ascii: "/") }
    return end.map { FilePath(bytes: path.bytes[...$0]) } ?? path
  }

  private static func jobs(_ value: FilePath?) throws(UsageError) -> Int {
    let value = value ?? ""
    guard let jobs = Int(String(decoding: value.bytes, as: UTF8.self)), (1...1024).contains(jobs)
    else { throw .badJobs(value) }
    return jobs
  }
}

extension CopyOptions {
  /// Takes over what `--reflink` says; without a word it means always.
  fileprivate mutating func reflink(_ value: FilePath?) throws(UsageError) {
    let words = WordList<CloneRule>(
      context: "--reflink",
      words: [(.automatic, ["auto"]), (.always, ["always"]), (.never, ["never"])]
    )
    clones = if let value { try words.meaning(of: value) } else { .always }
  }

  /// Takes over what `--sparse` says.
  fileprivate mutating func sparse(_ value: FilePath?) throws(UsageError) {
    let words = WordList<HoleRule>(
      context: "--sparse",
      words: [(.never, ["never"]), (.automatic, ["auto"]), (.always, ["always"])]
    )
    holes = try words.meaning(of: value ?? "")
  }
}

extension CopyRequest {
  /// Tells sources and destination apart.
  fileprivate mutating func place(
    _ operands: [FilePath],
    _ target: FilePath?
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
}
