/// The text of `--help`, created from the table of options.
enum HelpText {
  /// The column in which descriptions start.
  private static let column = 30
  private static let width = 80

  static func text(program: String) -> String {
    var text = """
      Usage: \(program) [OPTION]... [-T] SOURCE DEST
        or:  \(program) [OPTION]... SOURCE... DIRECTORY
        or:  \(program) [OPTION]... -t DIRECTORY SOURCE...
        or:  \(program) [OPTION]... --files-from=FILE [SOURCE]... DIRECTORY
        or:  \(program) --check=FILE DIRECTORY
      Copy SOURCE to DEST, or several SOURCEs into DIRECTORY.
      Several files are copied at the same time.


      """
    for row in OptionTable.rows where !row.kind.isOwn { text += entry(row) }
    text += "\nOptions that cp does not have:\n"
    for row in OptionTable.rows where row.kind.isOwn { text += entry(row) }
    text += """

      Exit status: 0 on success, 1 if there was an error or a question was answered
      with no; 42 only with --exit-codes=scheduler. See fastcp(1) for details.

      """
    return text
  }

  /// Returns the names of an option and its description, on as many lines as it needs.
  private static func entry(_ row: OptionRow) -> String {
    var names = row.letters.map { "-\($0)" }
    if let name = row.name {
      let value = row.value.map { row.isValueOptional ? "[=\($0)]" : "=" + $0 }
      names.append("--" + name + (value ?? ""))
    }
    var text = ""
    var line = (row.letters.isEmpty ? "      " : "  ") + names.joined(separator: ", ")
    line += String(repeating: " ", count: max(2, column - line.count))
    for word in row.help.split(separator: " ") {
      if line.count + word.count > width {
        while line.last == " " { line.removeLast() }
        text += line + "\n"
        line = String(repeating: " ", count: column + 2)
      }
      line += word + " "
    }
    return text + line.dropLast() + "\n"
  }
}
