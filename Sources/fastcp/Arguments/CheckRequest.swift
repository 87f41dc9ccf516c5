import FileCopy

/// The comparison of a directory with a manifest that `--check` requests.
struct CheckRequest: Equatable {
  var manifest: BytePath = ""
  var directory: BytePath = ""
  var jobs: Int?
  var showsStatistics = false
  var isJSON = false

  /// Creates the request of a command line; nil if it has no `--check`.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.options.contains(where: { $0.kind == .check }) else { return nil }
    for option in arguments.options {
      switch option.kind {
      case .check: manifest = option.value ?? ""
      case .jobs: jobs = try CopyRequest.jobs(option.value)
      case .statistics: showsStatistics = true
      case .json: isJSON = true
      case .exitCodes: break
      default: throw .cannotCombine("--check", OptionTable.name(of: option.kind))
      }
    }
    guard let directory = arguments.operands.first else { throw .noOperand }
    if arguments.operands.count > 1 { throw .extraOperand(arguments.operands[1]) }
    self.directory = directory
  }
}
