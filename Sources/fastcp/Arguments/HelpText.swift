/// The text of `--help`, made from the table of options.
enum HelpText {
  /// Where the explanations start.
  private static let column = 30

  static func text(program: String) -> String {
    var text = """
      Usage: \(program) [OPTION]... [-T] SOURCE DEST
        or:  \(program) [OPTION]... SOURCE... DIRECTORY
        or:  \(program) [OPTION]... -t DIRECTORY SOURCE...
      Copy SOURCE to DEST, or several SOURCEs into DIRECTORY, many files at a time.


      """
    for row in OptionTable.rows { text += line(row) }
    text += """

      The exit status is 0 when everything was copied and 1 when something was not.

      """
    return text
  }

  private static func line(_ row: OptionRow) -> String {
    var names = row.letters.map { "-\($0)" }
    if let name = row.name {
      let value = row.value.map { row.isValueOptional ? "[=\($0)]" : "=" + $0 }
      names.append("--" + name + (value ?? ""))
    }
    let indent = row.letters.isEmpty ? "      " : "  "
    let head = indent + names.joined(separator: ", ")
    let gap = String(repeating: " ", count: max(2, column - head.count))
    return head + gap + row.help + "\n"
  }
}
