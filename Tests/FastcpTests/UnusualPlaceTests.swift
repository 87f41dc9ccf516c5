import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// What is at the destination already, and file systems that do not do everything.
@Suite("Unusual destinations", .ends(withinMinutes: 10))
struct UnusualPlaceTests {
  private func shell(_ script: String) throws -> Outcome {
    let place = try TemporaryDirectory()
    return try run(
      ["bash", "-ec", script],
      environment: ["CP": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path
    )
  }

  private static let tree = "mkdir s t; mkfifo s/p; ln -s f s/l; echo keep >t/p; echo keep >t/l"

  @Test(
    "A link or special file takes a file's place only where it does with cp (T6)",
    arguments: [
      Twin("-a", "--attributes-only", "l", "g"), Twin("-a", "l", "g"),
      Twin("-rL", "s/.", "t", after: "mkdir s t; mkfifo s/p; echo keep >t/p"),
      Twin("-rLf", "s/.", "t", after: "mkdir s t; mkfifo s/p; echo keep >t/p"),
      Twin("-rH", "p", "t", after: "mkdir t; mkfifo p; echo keep >t/p"),
      Twin("-r", "s/.", "t", after: tree), Twin("-a", "s/.", "t", after: tree),
      Twin("-r", "--attributes-only", "s/.", "t", after: tree),
      Twin("-rf", "--attributes-only", "s/.", "t", after: tree),
      Twin("-r", "--remove-destination", "--attributes-only", "s/.", "t", after: tree),
    ]
  )
  func places(twin: Twin) throws { try twin.compare() }

  @Test("A path that is there already keeps its description (T13)")
  func parents() throws {
    let scene = "mkdir -p a/b; echo 1 >a/b/f; chmod 700 a; chown 12:34 a; touch -d 2001-01-01 a; "
    for made in ["mkdir -p to/a/b", "mkdir -p to/a", "mkdir to"] {
      try Twin("--parents", "-p", "a/b/f", "to", after: scene + made).compare()
      try Twin("--parents", "-a", "a/b", "to", after: scene + made).compare()
    }
    let broken = "mkdir -p a/x to/a; echo 1 >a/x/f; touch to/a/x; chmod 700 a; chmod 755 to/a"
    try Twin("--parents", "-p", "a/x/f", "to", after: broken).compare()
  }

  @Test("The time of an existing link decides nothing (T9)")
  func linkInTheWay() throws {
    let outcome = try shell(
      """
      mkdir s t; echo old >target; touch -d 2001-01-01 target; echo new >s/x; ln -s ../target t/x
      "$CP" -ru s/. t 2>&1 || echo $?; cat target; "$CP" -ru --remove-destination s/. t; cat target
      ln -sf ../target t/x; ln -P t/x t/y; touch -h t/x; "$CP" -au s/. t; readlink t/x
      """
    )
    let told = "fastcp: not writing through symlink 't/./x'\n1\nold\nold\n../target\n"
    #expect(outcome.outputText == told, "\(outcome)")
  }

  @Test("Backups do without an exclusive rename (T10)")
  func backups() throws {
    let outcome = try shell(
      """
      echo new >f; echo old >g
      without() { strace -f -qq -o log -e inject=renameat2:error=EINVAL "$CP" "$@"; }
      without --backup=numbered f g; cat g g.~1~
      ! without --backup=simple /proc/self/mem g 2>/dev/null; cat g; ls
      """
    )
    #expect(outcome.outputText == "new\nold\nnew\nf\ng\ng.~1~\nlog\n", "\(outcome)")
  }

  @Test(
    "Where no rename keeps files, a link does, and no rename replaces one (T10)",
    .needs(.root, .fuse)
  )
  func linkedNames() throws {
    let faulty = try FaultFileSystem()
    let outcome = try shell(
      """
      echo new >f; head -c 300000 /dev/urandom >big; echo old >'\(faulty.path)/g'
      calls=renameat2,renameat,rename,linkat
      without() { strace -f -qq -o log -e trace=$calls -e inject=renameat2:error=EINVAL "$CP" "$@"
        grep -v EINVAL log | grep -oE '(rename|link).*"(new|g[.]~1~)"' \\
          | sed 's/at.*"\\(.*\\)"/ \\1/'; }
      without big '\(faulty.path)/new'; cmp big '\(faulty.path)/new'
      without --backup=numbered f '\(faulty.path)/g'; ls -A '\(faulty.path)'
      """
    )
    #expect(outcome.outputText == "link new\nlink g.~1~\ng\ng.~1~\nnew\n", "\(outcome)")
  }

  @Test(
    "A replaced file keeps owner and mode where both are fixed (T13)",
    .needs(.root, .fuse, .fileSystems)
  )
  func fixedOwner() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "unshare", "-m", "bash", "-ec",
        """
        mkdir b m; bindfs -p 0750 --chmod-deny --chown-deny --xattr-none b m
        echo new >f; echo old >m/g; "$0" --atomic f m/g || echo $?; cat m/g; stat -c %a m/g
        umount m
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.outputText == "new\n750\n", "\(outcome)")
  }

  @Test("A file of a lower layer with several names is overwritten (T15)", .needs(.root))
  func overlay() throws {
    let memory = try MemoryFileSystem(kibibytes: 1024)
    let outcome = try run(
      [
        "unshare", "-m", "bash", "-ec",
        """
        cd "$1"; mkdir lower upper work m s; echo old >lower/a; ln lower/a lower/b; echo new >s/a
        mount -t overlay overlay m -o lowerdir=lower,upperdir=upper,workdir=work
        "$0" -r s/. m; cat m/a; "$0" -f s/a m/b; cat m/b
        """, BuiltProgram.fastcp.path, memory.path,
      ]
    )
    #expect(outcome.succeeded && outcome.outputText == "new\nnew\n", "\(outcome)")
  }

  @Test(
    "A file that takes another one's place keeps its owner, and its own rights (T13)",
    .needs(.root)
  )
  func atomicOwner() throws {
    let outcome = try shell(
      """
      echo 1 >f; chmod 4711 f; echo 2 >g; chown 56:78 g; chmod 640 g; cp -p g h
      setfattr -n security.capability -v 0x0100000200200000000000000000000000000000 f
      "$CP" --atomic --preserve=mode f g; stat -c '%u:%g %a' g
      "$CP" --atomic --preserve=xattr f h; stat -c '%u:%g %a' h
      getfattr -n security.capability -e hex --only-values h | wc -c
      """
    )
    #expect(outcome.outputText == "56:78 4711\n56:78 640\n20\n", "\(outcome)")
  }

  @Test("With --atomic a FIFO is removed where that is asked for (T6)")
  func atomicRemoval() throws {
    let outcome = try shell(
      """
      echo 1 >f; mkfifo p; "$CP" --atomic --remove-destination f p; cat p
      mkdir s t; echo 2 >s/p; mkfifo t/p; "$CP" -r --atomic --remove-destination s/. t; cat t/p
      rm s/p; mkfifo s/p; "$CP" -rL --atomic --remove-destination s/. t; stat -c %F t/p
      strace -f -qq -o log -e trace=unlinkat "$CP" -av --atomic s/p t; grep '"p"' log || :
      """
    )
    #expect(outcome.outputText == "1\n2\nfifo\n's/p' -> 't/p'\n", "\(outcome)")
  }

  @Test("An operand that looks like what a copy left is a file like any other (F14)")
  func hiddenOperand() throws {
    let name = try HiddenNames.name(1, of: KillTests.owner())
    let outcome = try shell(
      """
      n=\(name); mkdir s d; echo 1 >s/$n; echo 2 >s/g; echo old >d/g
      "$CP" --jobs=1 --atomic s/$n s/g d; cat d/$n d/g
      echo old >d/h; echo 3 >h; "$CP" --jobs=1 -r --atomic s/. h d; cat d/$n d/h
      """
    )
    #expect(outcome.outputText == "1\n2\n1\n3\n", "\(outcome)")
  }

  @Test("Of operands that are one file at the destination the last one stays (T4)")
  func order() throws {
    let outcome = try shell(
      """
      mkdir s; head -c 3000000 /dev/urandom >s/1; head -c 100000 /dev/urandom >s/2
      for link in ln 'ln -rs'; do for round in 1 2 3 4 5; do
        rm -rf d one; mkdir d; echo old >one; $link one d/1; $link one d/2
        "$CP" s/1 s/2 d; cmp s/2 one; rm d/*; echo old >d/2; ln -s 2 d/1
        "$CP" s/1 s/2 d; cmp s/2 d/2
      done; done
      for round in 1 2 3 4 5; do
        rm -rf f hard to; mkdir to; echo x >f; touch -d 2001-01-01 f; ln f hard; echo q >to/f
        "$CP" -au hard f to; cat to/hard to/f
      done | sort | uniq -c | tr -s ' '
      """
    )
    #expect(outcome.succeeded && outcome.outputText == " 10 x\n", "\(outcome)")
  }
}
