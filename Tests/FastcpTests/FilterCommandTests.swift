import FileCopy
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// Options leave out names and read names of sources.
@Suite("Filters and lists of sources")
struct FilterCommandTests {
  /// Runs a script in which `fastcp` is the command.
  private func shell(_ script: String) throws -> Outcome {
    let place = try TemporaryDirectory()
    return try run(
      ["bash", "-c", "fastcp() { \"$PROGRAM\" \"$@\"; }; \(script)"],
      environment: ["PROGRAM": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path,
      timeout: .seconds(30)
    )
  }

  private static let tree = """
    mkdir -p s/out s/sub; printf '/out\\n*.o\\n' >s/.gitignore
    for f in a.o a.c out/f sub/b.o sub/b.c; do echo $f >s/$f; done

    """
  private static let list = "find t -type f | LC_ALL=C sort"

  @Test(
    "Patterns keep the order of their options (T61)",
    arguments: [
      ("--exclude='*.o' --include=b.o", "t/.gitignore t/a.c t/out/f t/sub/b.c t/sub/b.o"),
      ("--include=b.o --exclude='*.o'", "t/.gitignore t/a.c t/out/f t/sub/b.c"),
      ("--exclude-from=p --include=b.c", "t/.gitignore t/a.o t/out/f t/sub/b.c t/sub/b.o"),
      ("--include=b.c --exclude-from=p", "t/.gitignore t/a.o t/out/f t/sub/b.o"),
      ("--gitignore", "t/.gitignore t/a.c t/sub/b.c"),
      ("--gitignore --include=b.o --exclude=.gitignore", "t/a.c t/sub/b.c t/sub/b.o"),
      ("--git-ignored-only", "t/a.o t/out/f t/sub/b.o"),
      ("--git-ignored-only --exclude=sub", "t/a.o t/out/f"),
    ]
  )
  func patterns(options: String, files: String) throws {
    for copy in ["-a", "-r --jobs=1", "-al", "-a --atomic --verify --stats --progress=never"] {
      let outcome = try shell(
        "\(FilterCommandTests.tree) printf '# c\\n*.c\\n' >p; "
          + "fastcp \(copy) \(options) s t >/dev/null || exit; \(FilterCommandTests.list)"
      )
      #expect(outcome.succeeded, "\(copy): \(outcome)")
      #expect(outcome.outputText.split(separator: "\n").joined(separator: " ") == files, "\(copy)")
    }
  }

  @Test("A dry run prints no name that is left out (T61)")
  func dryRun() throws {
    let outcome = try shell(
      "\(FilterCommandTests.tree) fastcp -a --dry-run --gitignore s t | LC_ALL=C sort; ls"
    )
    #expect(
      outcome.outputText == """
        's' -> 't'
        's/.gitignore' -> 't/.gitignore'
        's/a.c' -> 't/a.c'
        's/sub' -> 't/sub'
        's/sub/b.c' -> 't/sub/b.c'
        s

        """,
      "\(outcome)"
    )
  }

  @Test(
    "Nothing is copied if options are not valid (T62, T65)",
    arguments: [
      ("--exclude=a[ s t", "invalid pattern 'a[': '[' has no closing ']'"),
      ("--include='!a' s t", "invalid pattern '!a': it begins with '!'"),
      ("--exclude= s t", "invalid pattern '': it matches nothing"),
      ("--exclude-from=p s t", "invalid pattern 'b\\' in line 3 of 'p': it ends with a backslash"),
      ("--exclude-from=q s t", "cannot read patterns from 'q': No such file or directory"),
      ("--gitignore --git-ignored-only s t", "cannot combine --gitignore and --git-ignored-only"),
      ("--files-from=p -T t", "cannot combine --files-from and --no-target-directory (-T)"),
      ("--files-from=q t", "cannot read names from 'q': No such file or directory"),
      ("--files-from=s t", "cannot read names from 's': Is a directory"),
      ("--files-from=z --files-from=z t", "multiple lists of files specified"),
      ("--files-from=z t", "zero byte in a name from 'z'; if names end with it, add --null"),
      ("-i --files-from=- t", "cannot read both names and answers from standard input"),
    ]
  )
  func invalid(arguments: String, message: String) throws {
    let outcome = try shell(
      "\(FilterCommandTests.tree) printf 'a\\n\\nb\\\\\\n' >p; printf 's\\0' >z; mkdir t; "
        + "fastcp -a \(arguments) </dev/null; echo $?; find t"
    )
    #expect(outcome.errorText == "fastcp: \(message)\n")
    #expect(outcome.outputText == "1\nt\n")
  }

  @Test(
    "A list without an end is refused as soon as it exceeds its bound (T62, T65)",
    arguments: [
      (
        "--exclude-from=/dev/zero s t",
        "patterns from '/dev/zero': line 1 has more than 65536 bytes"
      ),
      ("--exclude-from=p s t", "patterns from 'p': line 3 has more than 65536 bytes"),
      ("--exclude-from=many s t", "patterns from 'many': more than 16777216 bytes"),
      ("--files-from=p t", "names from 'p': name 3 has more than 65536 bytes"),
      ("--files-from=/dev/zero t", "names from '/dev/zero': name 1 has more than 65536 bytes"),
      ("--null --files-from=many t", "names from 'many': name 1 has more than 65536 bytes"),
      ("--files-from=- t", "names from '-': name 1 has more than 65536 bytes"),
    ]
  )
  func endless(arguments: String, message: String) throws {
    let outcome = try shell(
      """
      mkdir s t; mkfifo many p; (printf 'a\\nb\\n'; exec tr '\\0' x </dev/zero) >p & first=$!
      yes >many & second=$!
      exec 3<p 4<many 5</dev/zero; fastcp -a \(arguments) <&5; echo $?; find t; kill $first $second
      """
    )
    #expect(outcome.errorText == "fastcp: cannot read \(message)\n", "\(outcome)")
    #expect(outcome.outputText == "1\nt\n", "\(outcome)")
  }

  @Test("A line may have as many bytes as its bound (T62, T65)")
  func longLine() throws {
    let place = try TemporaryDirectory()
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: LineBounds.line)
    try place.write(longest + Array("\nb".utf8), to: "list")
    func read(_ bounds: LineBounds) throws -> [UInt8] {
      let file = try openFile(place("list"), .readOnly)
      return try bounds.read(file.borrowed)
    }
    #expect(try read(.names) == longest + Array("\nb".utf8))
    #expect(try read(LineBounds(total: longest.count + 2)).count == longest.count + 2)
    #expect(throws: LineBounds.Failure.longFile(limit: longest.count + 1)) {
      _ = try read(LineBounds(total: longest.count + 1))
    }
  }

  @Test("--null requires a list, and a list needs a directory (T65)")
  func usage() throws {
    let alone = try shell("fastcp --null a b")
    #expect(alone.errorLines.first == "fastcp: --null requires --files-from")
    let missing = try shell("fastcp --files-from=/dev/null")
    #expect(missing.errorLines.first == "fastcp: missing file operand")
    let target = try shell("echo f >l; echo 1 >f; fastcp --files-from=l t; ls")
    #expect(target.errorText == "fastcp: target directory 't': No such file or directory\n")
    #expect(target.outputText == "f\nl\n")
    #expect(try shell("mkdir t; fastcp --files-from=/dev/null t").succeeded)
  }

  @Test("A list names sources by all their bytes, after those of the command line (T65)")
  func lists() throws {
    let outcome = try shell(
      """
      mkdir t u v; echo 1 >f; echo 2 >-x; echo 3 >' a '; echo 4 >$'\\377'; echo 5 >$'n\\nn'
      echo 6 >g
      printf '%s\\n' -x ' a ' $'\\377' >l
      fastcp --files-from=l f t || exit; (cd t; cat -- ./* | sort | tr '\\n' ' ')
      printf '%s\\0' $'n\\nn' ./-x f | fastcp --files-from=- --null -t u g || exit
      (cd u; cat -- ./* | sort | tr '\\n' ' ')
      printf f | (cd v; fastcp --files-from=- ../v; true) 2>&1
      """
    )
    #expect(
      outcome.outputText
        == "1 2 3 4 1 2 5 6 fastcp: cannot stat 'f': No such file or directory\n",
      "\(outcome)"
    )
  }

  @Test("A list may name parents and absolute paths, as operands do (T65)")
  func paths() throws {
    let outcome = try shell(
      """
      mkdir -p a/b t u v w; echo 1 >a/b/f; echo 2 >a/g; cd w
      printf '%s\\n' ../a/b/f "$PWD/../a/g" >../l; fastcp --files-from=../l ../t
      printf ../a/b/.. | fastcp -r --files-from=- ../v
      cd ../a; echo b/f >../k; fastcp --parents --files-from=../k ../u
      cd ..; find t u v -type f | LC_ALL=C sort
      """
    )
    #expect(outcome.outputText == "t/f\nt/g\nu/b/f\nv/b/f\nv/g\n", "\(outcome)")
  }

  @Test("The last name of a list may lack its end, and an empty one is skipped (T65)")
  func names() {
    func names(_ text: String, _ end: String) -> [BytePath] {
      NameList.names(in: Array(text.utf8), endingWith: end.utf8.first ?? 0)
    }
    #expect(names("a\nb", "\n") == ["a", "b"])
    #expect(names("a\nb\n", "\n") == ["a", "b"])
    #expect(names("\na\n\n\nb\n\n", "\n") == ["a", "b"])
    #expect(names("", "\n") == [])
    #expect(names("\n", "\n") == [])
    #expect(names("a\nb\0\0c\0", "\0") == ["a\nb", "c"])
  }
}
