import FileCopy

/// An error in the command line.
enum UsageError: Error, Equatable {
  case unknownLetter(BytePath)
  case letterNeedsValue(String)
  /// An unknown long option, and the name that it resembles; nil if there is none.
  case unknownName(BytePath, nearest: String?)
  case ambiguousName(BytePath, [String])
  case nameNeedsValue(String)
  case nameTakesNoValue(String)
  case noOperand
  case noDestination(BytePath)
  case extraOperand(BytePath)
  case bothTargetKinds
  case repeatedTargetDirectory
  case badJobs(BytePath)
  case badRate(BytePath)
  case badLimit(variable: String, BytePath)
  case badPattern(CopyFilterError)
  case bothGitFilters
  case listWithExactName
  case repeatedList
  case repeatedEarlierCopy
  case zeroWithoutList
  case zeroInList(BytePath)
  case unreadableList(BytePath, LineBounds.Failure)
  case namesAndAnswers
  case bothKindsOfLinks
  case backupWithoutReplacing
  case cloneWithHoles
  case badRemovalLimit(BytePath)
  /// An option that has no meaning without `--delete`.
  case onlyWithDelete(String)
  /// An option that has no meaning without another one.
  case onlyWith(String, String)
  case deleteWithoutRecursion
  case badShard(BytePath)
  /// A variable that numbers the processes of a job has an unusable value.
  case badShardVariable(String, String)
  /// A variable with the index of a process is set, and the one with the number of processes is
  /// not.
  case halfShard(String, String)
  case noShard
  case shardNeedsPlacement
  case noSecurityContext
  case contextBothWays
  case contextNotSet(BytePath)
  /// Two options that contradict each other.
  case cannotCombine(String, String)
  /// A word that is not in a list or is ambiguous; the valid words are grouped by meaning.
  case badWord(BytePath, context: String, isAmbiguous: Bool, [[String]])

  /// Returns the message, without the program's name.
  func text(quoting: ShellQuoting) -> String {
    switch self {
    case .unknownLetter(let letter): "invalid option -- \(quoting.quote(letter))"
    case .letterNeedsValue(let letter): "option requires an argument -- '\(letter)'"
    case .unknownName(let name, let nearest):
      "unrecognized option \(quoting.quote(name))"
        + (nearest.map { "\nDid you mean '--\($0)'?" } ?? "")
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
    case .repeatedEarlierCopy: "multiple earlier copies specified"
    case .bothKindsOfLinks: "cannot make both hard and symbolic links"
    case .backupWithoutReplacing:
      "--backup is mutually exclusive with -n or --update=none-fail"
    case .cloneWithHoles: "--reflink can be used only with --sparse=auto"
    case .badRemovalLimit(let value):
      "invalid number of entries to remove: \(quoting.quote(value)) (must be 0 or more)"
    case .onlyWithDelete(let option): "\(option) can be used only with --delete"
    case .onlyWith(let option, let other): "\(option) can be used only with \(other)"
    case .deleteWithoutRecursion: "--delete can be used only with --recursive (-r) or -a"
    case .noSecurityContext:
      "cannot preserve security context without an SELinux-enabled kernel"
    case .contextBothWays: "cannot set target context and preserve it"
    case .contextNotSet(let context):
      "failed to set default file creation context to \(quoting.quote(context)): "
        + "Operation not supported"
    case .cannotCombine(let option, let other): "cannot combine \(option) and \(other)"
    case .badWord(let word, let context, let isAmbiguous, let meanings):
      "\(isAmbiguous ? "ambiguous" : "invalid") argument \(quoting.locale(word.description)) "
        + "for \(quoting.locale(context))\nValid arguments are:"
        + meanings.map { words in
          "\n  - " + words.map { quoting.locale($0) }.joined(separator: ", ")
        }.joined()
    case .badPattern, .bothGitFilters, .listWithExactName, .repeatedList, .zeroWithoutList,
      .zeroInList, .unreadableList, .namesAndAnswers:
      filterText(quoting: quoting)
    case .badShard, .badShardVariable, .halfShard, .noShard, .shardNeedsPlacement:
      shardText(quoting: quoting)
    case .badJobs(let value):
      "invalid number of jobs: \(quoting.quote(value)) (must be from "
        + "\(CopyRequest.jobRange.lowerBound) to \(CopyRequest.jobRange.upperBound))"
    case .badRate(let value):
      "invalid rate: \(quoting.quote(value)) (must be a number of bytes such as 500K, 20M or 1GB)"
    case .badLimit(let variable, let value):
      "invalid number in $\(variable): \(quoting.quote(value))"
    }
  }

  /// Returns the message about names that are left out or read from a list.
  private func filterText(quoting: ShellQuoting) -> String {
    switch self {
    case .badPattern(let error): error.text(quoting: quoting)
    case .bothGitFilters: "cannot combine --gitignore and --git-ignored-only"
    case .listWithExactName: "cannot combine --files-from and --no-target-directory (-T)"
    case .repeatedList: "multiple lists of files specified"
    case .zeroWithoutList: "--null requires --files-from"
    case .zeroInList(let file):
      "zero byte in a name from \(quoting.quote(file)); if names end with it, add --null"
    case .unreadableList(let file, let failure):
      "cannot read names from \(quoting.quote(file)): \(UsageError.reason(failure))"
    case .namesAndAnswers: "cannot read both names and answers from standard input"
    default: ""
    }
  }

  /// Returns the reason why a list of names was not read.
  private static func reason(_ failure: LineBounds.Failure) -> String {
    switch failure {
    case .system(let error): "\(error)"
    case .longLine(let number, let limit): "name \(number) has more than \(limit) bytes"
    case .longFile(let limit): "more than \(limit) bytes"
    }
  }

  /// Returns the message about the part of a copy.
  private func shardText(quoting: ShellQuoting) -> String {
    switch self {
    case .badShard(let value):
      "invalid part: \(quoting.quote(value)) (must be I/N with I from 0 to N-1, auto or finish)"
    case .badShardVariable(let variable, let value):
      "invalid part of a job: $\(variable) is \(quoting.quote(BytePath(value)))"
    case .halfShard(let index, let count):
      "invalid part of a job: $\(index) is set, but $\(count) is not"
    case .noShard: "no variables of the environment choose a part (see --shard)"
    case .shardNeedsPlacement:
      "--shard requires --no-target-directory (-T) or --target-directory (-t)"
    default: ""
    }
  }

  /// Whether the message is followed by a hint to `--help`.
  var pointsToHelp: Bool {
    switch self {
    case .bothTargetKinds, .repeatedTargetDirectory, .badJobs, .badRate, .badLimit,
      .badRemovalLimit, .noSecurityContext, .contextBothWays, .contextNotSet, .badPattern,
      .bothGitFilters, .listWithExactName, .repeatedList, .repeatedEarlierCopy, .zeroInList,
      .unreadableList, .namesAndAnswers, .badShard, .badShardVariable, .halfShard, .noShard:
      false
    default: true
    }
  }
}

extension ShellQuoting {
  /// Returns a word in the locale's quotation marks.
  fileprivate func locale(_ word: String) -> String {
    self == .utf8 ? "\u{2018}\(word)\u{2019}" : "'\(word)'"
  }
}
