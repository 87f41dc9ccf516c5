import IOChannelsTestSupport

/// The words that write options on a command line: other names, and letters that share a dash.
struct OptionSpelling {
  /// The words, in the order of the options but for letters that share a dash.
  private(set) var words: [String] = []

  /// The other names of options, of which some are abbreviations.
  private static let otherNames: [String: [String]] = [
    "-a": ["--archive"], "-b": ["--backup"], "-f": ["--force"], "-i": ["--interactive", "--int"],
    "-l": ["--link"], "-L": ["--dereference"], "-n": ["--no-clobber"],
    "-P": ["--no-dereference"], "-p": ["--preserve"], "-r": ["-R", "--recursive", "--rec"],
    "-s": ["--symbolic-link"], "-T": ["--no-target-directory"], "-v": ["--verbose"],
    "-x": ["--one-file-system"], "--suffix=.old": ["-S.old"],
    "--preserve=timestamps": ["--preserve=time"], "--reflink=never": ["--refl=n"],
    "--backup=numbered": ["--backup=t"], "--backup=simple": ["--backup=never"],
    "--backup=existing": ["--backup=nil"],
  ]

  /// Chooses the words of options.
  init(_ options: [String], using generator: inout SeededGenerator) {
    let joinsLetters = generator.chance(percent: 40)
    var place: Int?
    for option in options {
      var word = option
      if let names = OptionSpelling.otherNames[option], generator.chance(percent: 20) {
        word = names[generator.number(in: 0..<names.count)]
      }
      let isLetter = word.count == 2
      if joinsLetters && isLetter, let place {
        words[place] += word.dropFirst()
        continue
      }
      if isLetter { place = words.count }
      words.append(word)
    }
  }
}
