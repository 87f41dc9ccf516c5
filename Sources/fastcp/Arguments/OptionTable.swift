/// What an option asks for.
enum OptionKind: Sendable, Hashable {
  case archive
  case attributes
  case debug
  case help
  case jobs
  case linksAsLinks
  case noTargetDirectory
  case recursive
  case targetDirectory
  case verbose
  case version
}

/// One row of the table that the parser and the help text are made from.
struct OptionRow: Sendable {
  let kind: OptionKind
  /// The letters behind one dash.
  let letters: [Character]
  /// The name behind two dashes.
  let name: String?
  /// What the value is called, nil when there is none.
  let value: String?
  let help: String
}

/// All options, in the order of the help text.
enum OptionTable {
  static let rows: [OptionRow] = [
    OptionRow(
      kind: .archive,
      letters: ["a"],
      name: "archive",
      value: nil,
      help: "exact copies: same as -dR with all attributes"
    ),
    OptionRow(
      kind: .linksAsLinks,
      letters: ["d"],
      name: nil,
      value: nil,
      help: "copy symbolic links as links and keep hard links"
    ),
    OptionRow(
      kind: .attributes,
      letters: ["p"],
      name: nil,
      value: nil,
      help: "keep mode, ownership and timestamps"
    ),
    OptionRow(
      kind: .recursive,
      letters: ["R", "r"],
      name: "recursive",
      value: nil,
      help: "copy directories with everything in them"
    ),
    OptionRow(
      kind: .targetDirectory,
      letters: ["t"],
      name: "target-directory",
      value: "DIRECTORY",
      help: "copy all SOURCEs into DIRECTORY"
    ),
    OptionRow(
      kind: .noTargetDirectory,
      letters: ["T"],
      name: "no-target-directory",
      value: nil,
      help: "DEST is the copy's name, never a place to put it"
    ),
    OptionRow(
      kind: .verbose,
      letters: ["v"],
      name: "verbose",
      value: nil,
      help: "say what is copied"
    ),
    OptionRow(
      kind: .jobs,
      letters: [],
      name: "jobs",
      value: "N",
      help: "copy N files at a time; by default one a processor"
    ),
    OptionRow(
      kind: .debug,
      letters: [],
      name: "debug",
      value: nil,
      help: "say how each file is copied; implies -v"
    ),
    OptionRow(
      kind: .help,
      letters: [],
      name: "help",
      value: nil,
      help: "show this text and exit"
    ),
    OptionRow(
      kind: .version,
      letters: [],
      name: "version",
      value: nil,
      help: "show the version and exit"
    ),
  ]
}
