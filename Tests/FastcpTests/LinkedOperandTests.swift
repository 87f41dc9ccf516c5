import IOChannelsTestSupport
import Testing

/// Operands that are names of one file, and existing links that lead nowhere or in circles.
@Suite("Linked operands and cycles of links", .ends(withinMinutes: 5))
struct LinkedOperandTests {
  /// Two names of one file, and a directory for their copies.
  private static let names = "ln f f2; mkdir k; "

  @Test(
    "A further name of a copied file replaces the existing one and reports it (T4)",
    arguments: [
      Twin("-av", "f", "f2", "k", after: names + "echo 2 >k/f2"),
      Twin("-av", "f", "f2", "k", after: names + "ln -s nowhere k/f2"),
      Twin("-av", "f", "f2", "k", after: names + "ln -s nowhere k/f"),
      Twin("-av", "f", "f2", "k", after: names + "ln -s f2 k/f2"),
      Twin("-afv", "f", "f2", "k", after: names + "ln -s f2 k/f2"),
      Twin("-dv", "f", "f2", "k", after: names + "touch k/f; ln k/f k/f2"),
      Twin("-auv", "f", "f2", "k", after: names + "touch k/f k/f2"),
      Twin("-anv", "f", "f2", "k", after: names + "echo 1 >k/f; ln -s nowhere k/f2"),
      Twin("-av", "--parents", "f", "d/f2", "k", after: "ln f d/f2; mkdir -p k/d; touch k/d/f2"),
      Twin("-av", "f", "d", "f2", "k", after: names + "ln f d/f3; mkdir k/d; touch k/d/f3"),
    ]
  )
  func replacedNames(twin: Twin) throws { try twin.compare() }

  @Test(
    "A followed name is linked to the file to which an existing link leads (T4, T7)",
    arguments: [
      Twin("-aL", "f", "f2", "k", after: names + "ln -s ../g k/f"),
      Twin("-aH", "f", "f2", "k", after: names + "ln -s ../g k/f"),
      Twin("-L", "--preserve=links", "f", "f2", "l", "k", after: names + "ln -s ../g k/f"),
      Twin("-a", "f", "f2", "k", after: names + "ln -s ../g k/f"),
      Twin("-aL", "f", "d", "k", after: "ln f d/f2; mkdir k; ln -s ../g k/f"),
      Twin("-aL", "f", "f2", "k", after: names + "ln -s new k/f").calling(
        "export POSIXLY_CORRECT=1; exec \"$0\" \"$@\""
      ),
    ]
  )
  func followedNames(twin: Twin) throws { try twin.compare() }

  @Test("A name in a directory is linked to an earlier operand, however large that is (T4)")
  func earlierOperands() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir s s/d; yes | head -c 3000000 >s/large || :; ln s/large s/d/name
        for round in {1..20}; do
          rm -rf t; mkdir -p t/d; ln -s nowhere t/d/name; cd s
          "$0" -a --jobs=4 large d ../t; cd ..; [ t/large -ef t/d/name ]
          rm -rf t; mkdir t; ln -s nowhere t/large; cd s
          "$0" -a --jobs=4 d large ../t; cd ..; [ t/large -ef t/d/name ]
        done
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path,
      timeout: .seconds(60)
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test(
    "All names of a file are linked, also if operands show them more than once, as with cp (T33)",
    arguments: [
      "s s/f t", "s/f s t", "s s/d t", "s s/d s/d/f3 s/f t", "s/f s/f2 s/d/f3 s t",
    ]
  )
  func namesFoundAgain(arguments: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir -p s/d t; echo 1 >s/f; ln s/f s/f2; ln s/f s/d/f3; echo 2 >s/g; ln s/g s/d/g2
        for program in cp "$0"; do
          for old in '' 'mkdir -p t/s t/d; echo 3 >t/s/f; echo 4 >t/f'; do
            rm -rf t; mkdir t; eval "$old"; $program -a $1 || exit 9
            find t -type f -printf '%i %p\\n' | sort | awk '
              !($1 in first) { first[$1] = $2 } { print first[$1], $2 }' | sort
          done
          echo next
        done
        """, BuiltProgram.fastcp.path, arguments,
      ],
      directory: place.path
    )
    // The first name of a file depends on the inode numbers: only the groups are compared.
    let halves = outcome.outputText.split(separator: "next\n").map { half in
      Dictionary(grouping: half.split(separator: "\n")) { $0.split(separator: " ")[0] }
        .values.map { lines in lines.map { $0.split(separator: " ")[1] }.sorted() }
        .sorted { $0[0] < $1[0] }
    }
    #expect(outcome.succeeded && halves.count == 2, "\(outcome)")
    #expect(halves.first == halves.last, "\(outcome)")
  }

  @Test(
    "A directory that is met again is refused with the words of cp, whatever has its name (T5)",
    arguments: [
      Twin("-r", "--link", "d/sub", "d/", "k", after: "mkdir k; echo 1 >d/sub/sub"),
      Twin("-rn", "d/sub", "d/sub", "d"),
      Twin("-r", "--parents", "a/b/c", "k", after: "mkdir -p a/b/c k/a; echo 1 >k/a/b; chmod 0 a")
        .asNobody(),
    ]
  )
  func directoriesMetAgain(twin: Twin) throws { try twin.compare() }

  @Test("A file in a directory that may not be changed is not overwritten in place of a link (T33)")
  func unwritableDirectory() throws {
    let setting =
      "chmod 777 .; mkdir -p x t/x; echo new >a; ln a x/b; ln a c; echo old >t/x/b; "
      + "chmod 777 t; chmod 666 t/x/b; chmod 555 t/x"
    try Twin("--preserve=links", "--parents", "a", "x/b", "c", "t", after: setting).asNobody()
      .compare()
  }

  @Test(
    "With -f a cycle of links is removed, or the words of cp name the failure (T7, T8)",
    arguments: ["loop/", "loop/x"],
    [["-f"], ["-fv"], ["-fT"], ["-fu"], ["-f", "--attributes-only"]]
  )
  func cycles(destination: String, options: [String]) throws {
    var twin = Twin(after: "ln -s loop loop")
    twin.arguments = options + ["f", destination]
    try twin.compare()
  }

  @Test(
    "A cycle of links that would not be written through is no file to remove, as with cp 9.11",
    arguments: ["-fb", "-fs", "-fl", "-fr"]
  )
  func examinedCycles(option: String) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-ec",
        "mkdir d; echo 1 >f; ln -s loop loop; [ $1 = -fr ] && s=d; exec \"$0\" $1 ${s-f} loop/",
        BuiltProgram.fastcp.path, option,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.status == 1)
    let line = "fastcp: cannot stat 'loop/': Too many levels of symbolic links"
    #expect(outcome.errorLines == [line], "\(outcome)")
  }

  @Test("A refused clone changes the time of its directory, as with cp (T25)")
  func refusedClones() throws {
    let place = try TemporaryDirectory(in: "/dev/shm")
    let outcome = try run(
      [
        "bash", "-ec",
        """
        mkdir k; echo 1 >small; yes | head -c 300000 >large || :
        for file in small large; do
          touch -d 2001-01-01 k; "$0" --reflink=always $file k 2>e && exit 8
          grep "failed to clone 'k/$file' from '$file'" e; [ ! "$(ls -A k)" ]
          [ "$(find k -newermt 2002-01-01)" ]
        done
        """, BuiltProgram.fastcp.path,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(outcome.succeeded, "\(outcome)")
  }
}
