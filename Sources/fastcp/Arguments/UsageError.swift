import FileCopy

/// Arguments that cannot be followed.
enum UsageError: Error, Equatable {
  case unknownLetter(FilePath)
  case letterNeedsValue(String)
  case unknownName(FilePath)
  case ambiguousName(FilePath, [String])
  case nameNeedsValue(String)
  case nameTakesNoValue(String)
  case noOperand
  case noDestination(FilePath)
  case extraOperand(FilePath)
  case bothTargetKinds
  case repeatedTargetDirectory
  case badJobs(FilePath)

  /// The line without the program's name.
  func text(quoting: ShellQuoting) -> String {
    switch self {
    case .unknownLetter(let letter): "invalid option -- \(quoting.quote(letter))"
    case .letterNeedsValue(let letter): "option requires an argument -- '\(letter)'"
    case .unknownName(let name): "unrecognized option \(quoting.quote(name))"
    case .ambiguousName(let name, let candidates):
      "option \(quoting.quote(name)) is ambiguous; possibilities:"
        + candidates.map { " '--\($0)'" }.joined()
    case .nameNeedsValue(let name): "option '--\(name)' requires an argument"
    case .nameTakesNoValue(let name): "option '--\(name)' doesn't allow an argument"
    case .noOperand: "missing file operand"
    case .noDestination(let source):
      "missing destination file operand after \(quoting.quote(source))"
    case .extraOperand(let operand): "extra operand \(quoting.quote(operand))"
    case .bothTargetKinds:
      "cannot combine --target-directory (-t) and --no-target-directory (-T)"
    case .repeatedTargetDirectory: "multiple target directories specified"
    case .badJobs(let value): "invalid number of jobs: \(quoting.quote(value))"
    }
  }

  /// Whether the help text would have told.
  var pointsToHelp: Bool {
    switch self {
    case .bothTargetKinds, .repeatedTargetDirectory, .badJobs: false
    default: true
    }
  }
}
