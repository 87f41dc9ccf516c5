import IOChannelsTestSupport
import Testing

/// Where a file system or a security module refuses an operation, the copy is the one of cp.
@Suite("Refusals", .needs(.root), .ends(withinMinutes: 20))
struct RefusalTests {
  /// EPERM, EACCES, EXDEV, EINVAL, EMLINK, ENOSYS and EOPNOTSUPP.
  private static let errors = [1, 13, 18, 22, 31, 38, 95]

  #if arch(x86_64)
    private static let (link, rename, plainRename, chmod, chmodAt) = (265, 316, 264, 91, 268)
  #else
    private static let (link, rename, plainRename, chmod, chmodAt) = (37, 276, 38, 52, 53)
  #endif

  private static let tree = """
    umask 022; mkdir -p s/d/e; head -c 300000 /dev/urandom >s/big; echo 1 >s/small
    head -c 200000 /dev/urandom >s/d/e/big; echo 2 >s/d/private; ln -s big s/l; chmod 751 s/small
    chmod 640 s/d/e/big; chmod 600 s/d/private; touch -d 2001-01-01 s/big s/d/e/big s/small s/d
    chown -R 65534:65534 s
    """

  /// Makes the same copies by cp and by the command, as one user below one kind of mount.
  ///
  /// The script prints for each program the statuses, the lines about copies that succeeded, and
  /// the files. A hidden name that could not be removed stays.
  private static let copies = """
    chmod 755 .; mkdir bin; cp "$FASTCP" bin/fastcp; \(tree); [ "$USER_ID" != 0 ] || as=
    for p in cp bin/fastcp; do
      rm -rf b m; mkdir b m; chmod 777 b; mount_it >mounting 2>&1 || cat mounting >&2
      for c in 's/big m/1' '-p s/big m/2' 's/small m/3' '-p s/small m/4' '-r s m/5' '-a s m/6' \\
        '-r s m/5' '-a s m/6' 's/d/private m/7' '--preserve=mode s/small m/8' 's/big m/1'; do
        s=0; $as $p $c >told 2>&1 || s=$?; echo "$c: $s"; [ $s != 0 ] || cat told
      done
      cd m; find . ! -type d ! -name '.fastcp*' -printf '%p %y %m %U %s\\n' | sort
      find . -type d -printf '%p %y %m %U\\n' | sort
      find . -type f ! -name '.fastcp*' -exec cksum {} + | sort -k 3
      cd ..; umount m; ls b; echo next
    done
    """

  private func compare(_ mount: String, user: Int) throws {
    let place = try TemporaryDirectory()
    let setting =
      "as='setpriv --reuid=\(user) --regid=\(user) --clear-groups'; mount_it() { \(mount); }"
    let text = try runSuccessfully(
      ["unshare", "-m", "bash", "-ec", "\(setting); \(Self.copies)"],
      environment: [
        "FASTCP": BuiltProgram.fastcp.path, "LC_ALL": "C", "USER_ID": "\(user)",
        "IOCHANNELS_BACKEND": user == 0 ? "auto" : "threads",
      ].merging(["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"]) { $1 },
      directory: place.path
    )
    let halves = text.split(separator: "next\n").map { $0.split(separator: "\n") }
    try #require(halves.count == 2, "\(text)")
    let difference = halves[1].difference(from: halves[0]).map { "\($0)" }
    #expect(difference == [], "\(mount), \(user)")
    #expect(halves[0].contains("s/big m/1: 0"), "\(text)")
  }

  @Test(
    "Below bindfs, which refuses or ignores calls, copies are those of cp",
    .needs(.fuse, .fileSystems),
    arguments: [
      "--chmod-deny", "--chmod-ignore", "--rename-deny", "--delete-deny",
      "--chmod-deny --rename-deny", "--chmod-deny --xattr-none", "--chmod-ignore --xattr-none",
      "--chmod-deny --xattr-ro", "--chmod-ignore --chmod-allow-x", "-p 0666,a+X",
    ],
    [0, 65534]
  )
  func bindfs(options: String, user: Int) throws {
    try compare("bindfs \(options) b m", user: user)
  }

  @Test(
    "NTFS and exFAT give all files one mode, and copies are those of cp",
    .needs(.fuse, .loop, .fileSystems),
    arguments: ["umask=000", "uid=65534,umask=022", "umask=000,fmask=111", "permissions"],
    [0, 65534]
  )
  func images(options: String, user: Int) throws {
    let image = "rm -f image; truncate -s 32M image"
    let open = "[ -k m ] || chmod 777 m 2>/dev/null || :"
    try compare("\(image); mkntfs -q -F image; ntfs-3g -o \(options) image m; \(open)", user: user)
    if options == "permissions" { return }
    let mount = "mount -t exfat-fuse -o loop,allow_other,\(options) image m"
    try compare("\(image); mkfs.exfat image; \(mount)", user: user)
  }

  /// Runs a script with a faulty file system and a tree beside it.
  private func shell(
    _ script: String,
    in place: TemporaryDirectory,
    _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let fixed = [
      "CP": BuiltProgram.fastcp.path, "BOX": BuiltProgram.sandboxrun.path, "LC_ALL": "C",
    ]
    return try run(
      ["bash", "-c", script],
      environment: fixed.merging(environment) { $1 }.mapValues { $0 },
      directory: place.path
    )
  }

  /// How a line begins about a file that cannot appear at once.
  private static let told = "fastcp: cannot rename a temporary file to '"

  /// Lists what a copy consists of, hidden names too.
  private static let list = """
    list() { (cd "$1"; find . -printf '%p %y %m %n\\n' | sort); }
    """

  @Test(
    "A refused renaming, of all names or of one, leads to a file in place",
    .needs(.fuse),
    arguments: ["auto", "threads"]
  )
  func renames(backend: String) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    _ = try shell("\(Self.tree); ln s/big s/d/other", in: place)
    for (name, error) in ["*", "big"].flatMap({ name in Self.errors.map { (name, $0) } }) {
      try faulty.setRules("rename \(name) 1+ errno \(error)")
      let outcome = try shell(
        """
        \(Self.list); "$CP" -r s "$TO/r" && "$CP" -a s "$TO/a" && "$CP" --verify s/big "$TO/v"
        echo $?; cmp s/big "$TO/v"; for t in r a; do diff -r s "$TO/$t"; done; list s >1
        list "$TO/a" | cmp 1; "$CP" --atomic -T s/small "$TO/big"; echo $?
        ls -A "$TO"; rm -rf "$TO"/*
        """,
        in: place,
        ["TO": faulty.path, "IOCHANNELS_BACKEND": backend]
      )
      #expect(!faulty.uses().isEmpty)
      #expect(outcome.outputText == "0\n1\na\nr\nv\n", "\(name) \(error): \(outcome)")
      #expect(
        outcome.errorText.hasPrefix("\(Self.told)\(faulty.path)/big'"),
        "\(outcome)"
      )
      #expect(outcome.errorLines.count == 1, "\(outcome)")
    }
  }

  @Test(
    "A refused link leads to a renaming, and with both refused to a file in place",
    arguments: errors
  )
  func links(error: Int) throws {
    let place = try TemporaryDirectory()
    _ = try shell("\(Self.tree); ln s/big s/d/other", in: place)
    for (calls, isAtomic) in [
      ([Self.link], true), ([Self.link, Self.rename], true),
      ([Self.link, Self.rename, Self.plainRename], false),
    ] {
      let denial = calls.map { "deny=\($0):\(error)" }.joined(separator: " ")
      let outcome = try shell(
        """
        \(Self.list); box() { "$BOX" \(denial) -- "$CP" "$@"; }
        box -r s r && box -aT s a && box -aT s a && box --jobs=1 -r s j; echo $?
        for t in r a j; do diff -r s $t; done; stat -c %h a/big a/d/other
        echo old >old; box --atomic s/big new; echo $?; box --atomic s/big old; echo $?
        cmp -s s/big new && echo new; cmp -s s/big old && echo replaced
        ls -A . r a j | grep '[.]fastcp'; rm -rf r a j new old
        """,
        in: place
      )
      let atomic = isAtomic ? "0\n0\nnew\nreplaced\n" : "1\n1\n"
      #expect(outcome.outputText == "0\n1\n1\n" + atomic, "\(denial): \(outcome)")
      #expect(outcome.errorLines.count == (isAtomic ? 0 : 2), "\(outcome)")
      #expect(outcome.errorLines.allSatisfy { $0.hasPrefix(Self.told) })
    }
  }

  @Test(
    "Other failures of the steps to a complete file lead to a file in place too",
    .needs(.fuse),
    arguments: [5, 12, 16, 36, 40]
  )
  func otherFailures(error: Int) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    _ = try shell("\(Self.tree); mkdir to", in: place)
    try faulty.setRules("create .fastcp* 1+ errno \(error)", "rename * 1+ errno \(error)")
    for (calls, to) in [
      ([Self.link], "to"), ([Self.link, Self.rename, Self.plainRename], "to"),
      ([Self.rename], faulty.path),
    ] {
      let denial = calls.map { "deny=\($0):\(error)" }.joined(separator: " ")
      let outcome = try shell(
        """
        "$BOX" \(denial) -- "$CP" -r s "$TO/r" && diff -r s "$TO/r" || echo $?
        "$BOX" \(denial) -- "$CP" s/big "$TO/new" && cmp s/big "$TO/new" || echo $?
        find "$TO" -name '.fastcp*'; ls -A "$TO"; rm -r "$TO"/*
        """,
        in: place,
        ["TO": to]
      )
      #expect(outcome.outputText == "new\nr\n" && outcome.errors.isEmpty, "\(denial): \(outcome)")
    }
    #expect(!faulty.uses().isEmpty)
  }

  @Test("A copy ends whatever error all steps to a name have for ever (F1)", .needs(.fuse))
  func lastingErrors() throws {
    let errors = Tier.current == .full ? Array(1...133) : [2, 4, 5, 11, 16, 17, 28, 40, 95, 116]
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    _ = try shell(Self.tree, in: place)
    for error in errors {
      try faulty.setRules("rename big 1+ errno \(error)", "link big 1+ errno \(error)")
      let outcome = try shell(
        """
        for option in --debug --atomic --resume --durable; do
          for old in '' old; do
            [ -z "$old" ] || echo old >"$TO/big"
            timeout 20 "$CP" $option s/big "$TO" >told 2>&1; s=$?
            [ $s -le 1 ] && { [ $s = 1 ] || cmp s/big "$TO/big"; } || echo "$option $old: $s"
            ls -A "$TO" | grep '[.]fastcp'; rm -f "$TO/big"
          done
        done
        """,
        in: place,
        ["TO": faulty.path]
      )
      #expect(outcome.outputText.isEmpty && outcome.errors.isEmpty, "\(error): \(outcome)")
      #expect(!faulty.uses().isEmpty)
    }
  }

  @Test("Bytes are copied once where a linked file may not replace another one")
  func refusedReplacement() throws {
    let place = try TemporaryDirectory()
    let outcome = try shell(
      """
      \(Self.tree); echo old >old
      strace -f -qq -o log -e trace=openat "$BOX" deny=\(Self.rename):1 deny=\(Self.plainRename):1 \
        -- "$CP" --atomic s/big old; echo $?; cat old; grep -c O_TMPFILE log; grep -c O_CREAT log
      """,
      in: place
    )
    #expect(outcome.outputText == "1\nold\n1\n0\n", "\(outcome)")
  }

  @Test(
    "A refused change of a mode leaves the mode of cp's file",
    .needs(.fuse),
    arguments: errors
  )
  func modes(error: Int) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    _ = try shell(Self.tree, in: place)
    for lists in ["setxattr none 1 errno 95", "setxattr * 1+ errno 95"] {
      try faulty.setRules("chmod * 1+ errno \(error)", lists)
      for options in ["-r", "-a", "-rp", "-r --atomic"] {
        let outcome = try shell(
          """
          \(Self.list); c=$(echo "\(options)" | sed 's/--atomic//'); cp $c s "$TO/1" 2>said; echo $?
          "$CP" \(options) s "$TO/2" 2>also; echo $?; [ -s said ] || cat also
          diff <(list "$TO/1") <(list "$TO/2"); diff -r s "$TO/2"; rm -rf "$TO"/*
          """,
          in: place,
          ["TO": faulty.path]
        )
        let lines = outcome.outputText.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == lines[1], "\(lists) \(options): \(outcome)")
      }
      #expect(!faulty.uses().isEmpty)
    }
    let denied = try shell(
      """
      \(Self.list)
      box() { "$BOX" deny=\(Self.chmod):\(error) deny=\(Self.chmodAt):\(error) -- "$@"; }
      box cp -r s 1; echo $?; box "$CP" -r s 2; echo $?; diff <(list 1) <(list 2); diff -r s 2
      """,
      in: place
    )
    #expect(denied.outputText == "0\n0\n" && denied.errors.isEmpty, "\(denied)")
  }

  @Test(
    "A directory that is there needs none made, and what cannot be synced is verified from memory",
    .needs(.fuse),
    arguments: errors + [30]
  )
  func directories(error: Int) throws {
    let faulty = try FaultFileSystem()
    let place = try TemporaryDirectory()
    _ = try shell("\(Self.tree); mkdir -p '\(faulty.behind)/s/d/e'", in: place)
    try faulty.setRules("mkdir * 1+ errno \(error)")
    let present = try shell("\"$CP\" -r s '\(faulty.path)'; echo $?", in: place)
    #expect(present.outputText == "0\n", "\(present)")
    if error == 30 { return }
    try faulty.setRules("fsync * 1+ errno \(error)")
    let verified = try shell(
      "\"$CP\" -r --verify --stats s '\(faulty.path)/new'; echo $?; diff -r s '\(faulty.path)/new'",
      in: place
    )
    #expect(!faulty.uses().isEmpty)
    #expect(verified.outputText.hasSuffix("0\n"), "\(verified)")
    // The kernel takes ENOSYS for a file system that has nothing to sync.
    #expect(verified.outputText.contains("cached") == (error != 38), "\(verified)")
  }
}
