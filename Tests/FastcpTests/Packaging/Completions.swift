@testable import fastcp

/// Completions for shells, made from the table of options.
enum Completions {
  /// For bash.
  static var bash: String {
    let names = OptionTable.rows.flatMap(words).sorted()
    var cases = ""
    for row in OptionTable.rows {
      guard let name = row.name, row.value != nil else { continue }
      if !row.words.isEmpty {
        cases += "    --\(name)) words=\"\(row.words.joined(separator: " "))\" ;;\n"
      } else if row.value == "DIRECTORY" {
        cases += "    --\(name)) COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n"
      } else {
        cases += "    --\(name)) return ;;\n"
      }
    }
    return """
      # bash completion for fastcp                                   -*- shell-script -*-
      \(notice("#"))

      _fastcp()
      {
        local current=${COMP_WORDS[COMP_CWORD]}
        local option='' words='' word
        COMPREPLY=()
        # The shell takes the equals sign for a word of its own.
        if [[ $current == '=' ]]; then
          option=${COMP_WORDS[COMP_CWORD-1]}
          current=''
        elif [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[COMP_CWORD-1]} == '=' ]]; then
          option=${COMP_WORDS[COMP_CWORD-2]}
        elif [[ ${COMP_WORDS[COMP_CWORD-1]} == --target-directory ]]; then
          option=--target-directory
        fi
        case $option in
      \(cases)  esac
        if [[ -n $words ]]; then
          # Of a list the last word is completed.
          local before=''
          [[ $current != *,* ]] || before=${current%,*},
          for word in $words; do
            [[ $before$word != "$current"* ]] || COMPREPLY+=("$before$word")
          done
          return
        fi
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$current"))
          [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
          return
        fi
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
      }
      complete -F _fastcp fastcp

      """
  }

  /// For zsh.
  static var zsh: String {
    var specifications: [String] = []
    for row in OptionTable.rows {
      let text = row.help.filter { $0 != "[" && $0 != "]" && $0 != "'" && $0 != ":" }
      for letter in row.letters {
        let takes = row.value != nil && !row.isValueOptional
        specifications.append(
          "'*-\(letter)\(takes ? "+" : "")[\(text)]\(takes ? values(row) : "")'"
        )
      }
      guard let name = row.name else { continue }
      let sign = row.value == nil ? "" : row.isValueOptional ? "=-" : "="
      let rest = row.value == nil ? "" : (row.isValueOptional ? ":" : "") + values(row)
      specifications.append("'*--\(name)\(sign)[\(text)]\(rest)'")
    }
    return """
      #compdef fastcp
      \(notice("#"))

      _arguments -s -S \\
        \(specifications.joined(separator: " \\\n  ")) \\
        '*:file:_files'

      """
  }

  /// For fish.
  static var fish: String {
    var text = notice("#") + "\n\n"
    for row in OptionTable.rows {
      var line = "complete -c fastcp"
      for letter in row.letters { line += " -s \(letter)" }
      if let name = row.name { line += " -l \(name)" }
      if !row.words.isEmpty {
        line += (row.isValueOptional ? " -f" : " -x") + " -a '\(row.words.joined(separator: " "))'"
      } else if row.value == "DIRECTORY" {
        line += " -x -a '(__fish_complete_directories)'"
      } else if row.value != nil {
        line += " -x"
      }
      let help = row.help.split(separator: "'").joined(separator: "\\'")
      text += line + " -d '\(help)'\n"
    }
    return text
  }

  /// The words of an option on the command line; a value begins behind an equals sign.
  static func words(_ row: OptionRow) -> [String] {
    var words = row.letters.map { "-\($0)" }
    if let name = row.name {
      words.append("--\(name)" + (row.value != nil && !row.isValueOptional ? "=" : ""))
    }
    return words
  }

  private static func values(_ row: OptionRow) -> String {
    let name = (row.value ?? "").lowercased()
    if !row.words.isEmpty { return ":\(name):(\(row.words.joined(separator: " ")))" }
    return row.value == "DIRECTORY" ? ":\(name):_files -/" : ":\(name): "
  }

  static func notice(_ sign: String) -> String {
    "\(sign) Made by scripts/packaging from the table of options; changes here are lost."
  }
}
