/// An option that a command line may have.
struct OptionChoice {
  /// The option with its value.
  let word: String
  /// A text that the help of a program with the option contains.
  let mark: String
  /// The chance of the option, relative to others.
  let weight: Int

  private init(_ word: String, weight: Int = 2, mark: String? = nil) {
    self.word = word
    self.weight = weight
    self.mark = mark ?? String(word.prefix { $0 != "=" })
  }

  /// The options, in the order of the help of cp, with each of their values.
  ///
  /// `--debug`, `--help` and `--version` are missing, whose output differs on purpose.
  static let all = [
    OptionChoice("-a", weight: 10), OptionChoice("--attributes-only"),
    OptionChoice("-b", weight: 4), OptionChoice("--backup=simple"),
    OptionChoice("--backup=numbered"), OptionChoice("--backup=existing"),
    OptionChoice("--backup=none"), OptionChoice("--copy-contents"),
    OptionChoice("-d", weight: 4), OptionChoice("-f", weight: 6), OptionChoice("-i"),
    OptionChoice("-H", weight: 4), OptionChoice("-l", weight: 4), OptionChoice("-L", weight: 4),
    OptionChoice("-n", weight: 4), OptionChoice("-P", weight: 4), OptionChoice("-p", weight: 6),
    OptionChoice("--preserve=mode"), OptionChoice("--preserve=timestamps"),
    OptionChoice("--preserve=ownership"), OptionChoice("--preserve=links", weight: 4),
    OptionChoice("--preserve=all"), OptionChoice("--preserve=xattr", weight: 1),
    OptionChoice("--preserve=context", weight: 1), OptionChoice("--preserve=mode,links"),
    OptionChoice("--no-preserve=mode"), OptionChoice("--no-preserve=timestamps"),
    OptionChoice("--no-preserve=links"), OptionChoice("--no-preserve=ownership"),
    OptionChoice("--no-preserve=xattr", weight: 1), OptionChoice("--no-preserve=all", weight: 1),
    OptionChoice("--parents", weight: 4), OptionChoice("-r", weight: 30),
    OptionChoice("--reflink=auto"), OptionChoice("--reflink=never"),
    OptionChoice("--reflink=always", weight: 1),
    OptionChoice("--remove-destination", weight: 4), OptionChoice("--sparse=auto", weight: 1),
    OptionChoice("--sparse=always"), OptionChoice("--sparse=never"),
    OptionChoice("--strip-trailing-slashes"),
    OptionChoice("-s", weight: 3), OptionChoice("--suffix=.old"), OptionChoice("-T", weight: 4),
    OptionChoice("-u", weight: 4), OptionChoice("--update", weight: 1),
    OptionChoice("--update=all", mark: "--update["),
    OptionChoice("--update=none", mark: "--update["),
    OptionChoice("--update=none-fail", mark: "none-fail"),
    OptionChoice("--update=older", mark: "--update["), OptionChoice("-v", weight: 8),
    OptionChoice("-x"), OptionChoice("-Z", weight: 1), OptionChoice("--context", weight: 1),
    OptionChoice("--keep-directory-symlink"),
  ]
}
