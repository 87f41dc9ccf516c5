import FileCopy

/// A copy as it was asked for.
struct CopyRequest {
  var options = CopyOptions()
  var sources: [FilePath] = []
  var destination = FilePath("")
  var placement = CopyPlacement.automatic
  var isVerbose = false
  var explainsMethods = false
}

/// What the arguments mean.
enum Command {
  case help
  case version
  case copy(CopyRequest)

  init(_ arguments: ParsedArguments) throws(UsageError) {
    var request = CopyRequest()
    var target: FilePath?
    var copiesLinksAsLinks = false
    for option in arguments.options {
      switch option.kind {
      case .help:
        self = .help
        return
      case .version:
        self = .version
        return
      case .archive:
        copiesLinksAsLinks = true
        request.options.isRecursive = true
        request.options.preserved = .all
      case .linksAsLinks:
        copiesLinksAsLinks = true
        request.options.preserved.insert(.links)
      case .attributes:
        request.options.preserved.formUnion([.mode, .ownership, .timestamps])
      case .recursive: request.options.isRecursive = true
      case .targetDirectory:
        if target != nil { throw .repeatedTargetDirectory }
        target = option.value
      case .noTargetDirectory: request.placement = .exactly
      case .verbose: request.isVerbose = true
      case .debug:
        request.isVerbose = true
        request.explainsMethods = true
      case .jobs: request.options.jobs = try Command.jobs(option.value)
      }
    }
    if let error = arguments.error { throw error }
    // In a tree, links are copied as links; a single file is what its link leads to.
    let copiesLinks = copiesLinksAsLinks || request.options.isRecursive
    request.options.following = copiesLinks ? .nothing : .everything
    try request.place(arguments.operands, target)
    self = .copy(request)
  }

  private static func jobs(_ value: FilePath?) throws(UsageError) -> Int {
    let value = value ?? ""
    guard let jobs = Int(String(decoding: value.bytes, as: UTF8.self)), (1...1024).contains(jobs)
    else { throw .badJobs(value) }
    return jobs
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
