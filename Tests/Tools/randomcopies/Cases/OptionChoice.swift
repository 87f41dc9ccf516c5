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

  /// The options, in the order of the help of cp.
  ///
  /// `--copy-contents` would wait for FIFOs, and `-Z` needs SELinux.
  static let all = [
    OptionChoice("-a", weight: 10), OptionChoice("--attributes-only"),
    OptionChoice("-b", weight: 4), OptionChoice("--backup=simple"),
    OptionChoice("--backup=numbered"), OptionChoice("--backup=existing"),
    OptionChoice("-d", weight: 4), OptionChoice("-f", weight: 4), OptionChoice("-i"),
    OptionChoice("-H", weight: 4), OptionChoice("-l", weight: 4), OptionChoice("-L", weight: 4),
    OptionChoice("-n", weight: 4), OptionChoice("-P", weight: 4), OptionChoice("-p", weight: 6),
    OptionChoice("--preserve=mode"), OptionChoice("--preserve=timestamps"),
    OptionChoice("--preserve=ownership"), OptionChoice("--preserve=links"),
    OptionChoice("--preserve=all"), OptionChoice("--no-preserve=mode"),
    OptionChoice("--no-preserve=timestamps"), OptionChoice("--no-preserve=links"),
    OptionChoice("--parents", weight: 4), OptionChoice("-r", weight: 30),
    OptionChoice("--reflink=auto"), OptionChoice("--reflink=never"),
    OptionChoice("--remove-destination", weight: 4), OptionChoice("--sparse=always"),
    OptionChoice("--sparse=never"), OptionChoice("--strip-trailing-slashes"),
    OptionChoice("-s", weight: 3), OptionChoice("--suffix=.old"), OptionChoice("-T", weight: 4),
    OptionChoice("-u", weight: 4), OptionChoice("--update=all", mark: "--update["),
    OptionChoice("--update=none", mark: "--update["),
    OptionChoice("--update=none-fail", mark: "none-fail"),
    OptionChoice("--update=older", mark: "--update["), OptionChoice("-v", weight: 8),
    OptionChoice("-x"), OptionChoice("--keep-directory-symlink"),
  ]
}
