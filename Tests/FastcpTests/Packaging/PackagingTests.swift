import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// The manual page and the completions agree with the parser.
@Suite("Manual and completions")
struct PackagingTests {
  /// The generated files, relative to the root of the repository.
  private static let files: [(path: String, text: String)] = [
    ("Packaging/man/fastcp.1", Manual.text),
    ("Packaging/completions/fastcp.bash", Completions.bash),
    ("Packaging/completions/_fastcp", Completions.zsh),
    ("Packaging/completions/fastcp.fish", Completions.fish),
  ]

  private static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/")
  }()

  @Test("The files in the repository are up to date; scripts/packaging regenerates them")
  func fresh() throws {
    let isMaking = try run(["bash", "-c", "[ \"$IOCHANNELS_MAKE_PACKAGING\" = 1 ]"]).succeeded
    for (path, text) in PackagingTests.files {
      let place = "\(PackagingTests.root)/\(path)"
      if isMaking {
        try runSuccessfully(
          ["bash", "-c", "mkdir -p \"$(dirname \"$0\")\" && cat >\"$0\"", place],
          input: Array(text.utf8)
        )
      }
      #expect(try runSuccessfully(["cat", place]) == text, "\(path)")
    }
  }

  @Test("The manual and each completion list exactly the options of the table")
  func complete() throws {
    for row in OptionTable.rows {
      for letter in row.letters {
        #expect(Manual.text.contains("\\fB\\-\(letter)\\fR"), "-\(letter)")
        #expect(Completions.zsh.contains("'*-\(letter)"), "-\(letter)")
        #expect(Completions.fish.contains(" -s \(letter) "), "-\(letter)")
      }
      if let name = row.name {
        let escaped = name.split(separator: "-").joined(separator: "\\-")
        #expect(Manual.text.contains("\\fB\\-\\-\(escaped)\\fR"), "--\(name)")
        #expect(Completions.zsh.contains("'*--\(name)"), "--\(name)")
        #expect(Completions.fish.contains(" -l \(name) "), "--\(name)")
      }
    }
    let entries = OptionTable.rows.count
    #expect(Completions.fish.split(separator: "\n").count { $0.hasPrefix("complete") } == entries)
    let options = try #require(Manual.text.split(separator: ".SH OPTIONS").last)
    let section = options.split(separator: ".SH EXIT").first ?? ""
    #expect(section.split(separator: "\n").count { $0 == ".TP" } == entries)
  }

  @Test("The help and the manual explain each placeholder, and the manual each word of a value")
  func placeholders() throws {
    func words(_ text: Substring) -> Set<String> {
      Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init))
    }
    let plain = Manual.text.split(separator: "\\-", omittingEmptySubsequences: false)
      .joined(separator: "-")
    let entries = plain.split(separator: ".TP\n")
    for row in OptionTable.rows {
      guard let name = row.name, let value = row.value else { continue }
      #expect(words(row.help[...]).contains(value), "--\(name)")
      // The first line of an entry is the synopsis.
      let found = entries.first { entry in
        entry.prefix { $0 != "\n" }.contains("--\(name)\\fR")
      }
      let entry = try #require(found)
      let explained = words(entry.drop { $0 != "\n" })
      #expect(explained.contains(value), "--\(name)")
      let refersToOther = row.kind == .noPreserve && explained.contains("--preserve")
      #expect(refersToOther || explained.isSuperset(of: row.words), "--\(name)")
    }
  }

  @Test("The completions offer the words that the parser accepts")
  func words() throws {
    for row in OptionTable.rows where !row.words.isEmpty {
      let name = try #require(row.name)
      for word in row.words {
        let needed: [BytePath] = row.kind == .checksum ? ["--manifest=m"] : []
        let parsed = ArgumentParser().parse([BytePath("--\(name)=\(word)"), "a", "b"] + needed)
        #expect(throws: Never.self, "--\(name)=\(word)") {
          _ = try Command(parsed, hasSecurityContexts: true)
        }
      }
      let parsed = ArgumentParser().parse([BytePath("--\(name)=bogus"), "a", "b"])
      let error = #expect(throws: UsageError.self) { _ = try Command(parsed) }
      guard case .badWord(_, _, _, let meanings)? = error else {
        Issue.record("--\(name) accepts any word")
        continue
      }
      #expect(Set(meanings.joined()).isSuperset(of: row.words), "--\(name)")
      #expect(Set(row.words).isSuperset(of: meanings.joined()), "--\(name)")
    }
  }

  @Test("The bash completion completes the names, words and lists of options")
  func bash() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "--norc", "-c",
        """
        source "$0"; shopt -s progcomp; compopt() { :; }
        try() {
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fastcp
          printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '
        }
        try fastcp --ato; try fastcp --progress = j; try fastcp --progress =
        try fastcp --preserve = mode,ti; try fastcp --jobs = 4; try fastcp -a --ver
        complete -p fastcp
        """, "\(PackagingTests.root)/Packaging/completions/fastcp.bash",
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(
      outcome.outputText == """
        --atomic
        json
        always auto json never
        mode,timestamps

        --verbose --verify --version
        complete -F _fastcp fastcp

        """,
      "\(outcome)"
    )
  }

  @Test("An interactive bash completes names with blanks, and quotes them")
  func blanks() throws {
    let place = try TemporaryDirectory()
    let typed = """
      source '\(PackagingTests.root)/Packaging/completions/fastcp.bash'
      fastcp() { printf '<%s>' "$@" >>words; echo >>words; }
      : >'one file'; mkdir 'two dir' sub; : >'two file'
      fastcp one\t
      fastcp one\\ f\t
      fastcp -a "on\t sub
      fastcp ./on\t sub\t
      fastcp --target-directory=tw\t
      fastcp -t tw\t x
      fastcp --jobs=o\t
      fastcp --progress=j\t
      fastcp --ato\t
      exit

      """
    _ = try run(
      ["script", "-qec", "bash --norc --noprofile -i", "/dev/null"],
      environment: ["TERM": "dumb", "HOME": place.path, "PROMPT_COMMAND": nil],
      directory: place.path,
      input: Array(typed.utf8)
    )
    #expect(
      try runSuccessfully(["cat", place("words")]) == """
        <one file>
        <one file>
        <-a><one file><sub>
        <./one file><sub/>
        <--target-directory=two dir/>
        <-t><two dir/><x>
        <--jobs=o>
        <--progress=json>
        <--atomic>

        """
    )
  }

  @Test("Completions load in their shells, and mandoc accepts the manual")
  func load() throws {
    let completions = "\(PackagingTests.root)/Packaging/completions"
    let manual = "\(PackagingTests.root)/Packaging/man/fastcp.1"
    for command in [
      ["bash", "-n", "\(completions)/fastcp.bash"],
      ["zsh", "-f", "-n", "\(completions)/_fastcp"],
      [
        "zsh", "-f", "-c",
        "fpath=($0 $fpath); autoload -Uz compinit && compinit -D -u && "
          + "[[ $_comps[fastcp] == _fastcp ]] && autoload +X -Uz _fastcp", completions,
      ],
      [
        "fish", "--no-config", "-c",
        "source \(completions)/fastcp.fish; "
          + "complete -C 'fastcp --progress=j' | string match -q '*json*'",
      ],
      ["mandoc", "-Tlint", "-W", "warning", manual],
    ] {
      let outcome = try run(command)
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(command): \(outcome)")
      if command[0] == "mandoc" { #expect(outcome.output.isEmpty, "\(outcome)") }
    }
  }
}
