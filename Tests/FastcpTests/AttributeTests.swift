import IOChannelsTestSupport
import Testing

/// Extended attributes, access lists and capabilities come over as with cp.
@Suite("Attributes")
struct AttributeTests {
  private static let described = """
    setfattr -n user.a -v 1 f; setfattr -n user.b f; setfattr -n user.d -v 2 d
    setfattr -h -n trusted.l -v 3 l; setfacl -m u:nobody:rw,g:12:r f; chmod 4664 f
    setfacl -m u:nobody:x d; setfacl -d -m u:nobody:rwx d; setfacl -m u:33:rw d/h; chown 12:34 d/h
    mkfifo -m 640 d/p; setfacl -m u:nobody:r d/p; setfattr -n trusted.p -v 4 d/p
    chown 12:34 g; setfattr -n security.capability -v 0x0100000200200000000000000000000000000000 g
    setfattr -n user.Beagle.x -v 5 g; mkdir to
    """

  @Test(
    "All requested attributes are copied (T13, T43)",
    .needs(.root),
    arguments: CopyBase.inTier
  )
  func everything(base: CopyBase) throws {
    try base.use { path in
      for options in [
        ["-a"], ["-rp"], ["-dr", "--preserve=xattr"], ["-r", "--preserve=mode"],
        ["-r", "--preserve=all"], ["-a", "--no-preserve=xattr"], ["-a", "--no-preserve=mode"],
        ["-r"], ["-a", "--attributes-only"], ["-r", "--preserve=ownership"],
      ] {
        var twin = Twin(after: AttributeTests.described)
        twin.arguments = options + ["f", "g", "l", "d", "to"]
        try twin.compare(in: path)
      }
    }
  }

  @Test(
    "The source's lists replace those that the destination had or inherits (T15, T44)",
    .needs(.root),
    arguments: CopyBase.inTier
  )
  func replaced(base: CopyBase) throws {
    let lists = """
      setfacl -d -m u:12:rwx to; mkdir to/d; setfacl -m u:33:rwx to/d; echo 1 >to/f; echo 2 >to/d/h
      setfacl -m u:44:rwx to/f; setfattr -n user.kept -v 1 to/f; mkfifo to/d/p
      """
    try base.use { path in
      for options in [["-a"], ["-rp"], ["-r"], ["-r", "--preserve=mode"], ["-a", "-f"]] {
        var twin = Twin(after: "\(AttributeTests.described); \(lists)")
        twin.arguments = options + ["f", "g", "l", "d", "to"]
        try twin.compare(in: path)
      }
    }
  }

  @Test(
    "A user who may not give files away keeps the permitted attributes (T14, T17, T18, T19)",
    .needs(.root),
    arguments: CopyBase.inTier
  )
  func nobody(base: CopyBase) throws {
    let open = """
      chmod 777 .; setfattr -n user.a -v 1 f; chmod 444 f; setfacl -m u:12:r f
      setfattr -n trusted.t -v 2 g; setfattr -n user.g -v 3 g; chmod 6755 g
      setfattr -n security.capability -v 0x0100000200200000000000000000000000000000 d/h
      setfattr -n user.d -v 4 d; chmod 555 d
      """
    try base.use { path in
      try Twin("-a", "f", "g", "d", "to", after: "\(open); mkdir -m 777 to").asNobody()
        .compare(in: path)
      try Twin("--preserve=xattr", "f", "new", after: open).asNobody().compare(in: path)
      try Twin("-p", "f", "new", after: "\(open); \(AttributeTests.theirs)").asNobody()
        .compare(in: path)
      try Twin("-p", "g", "new", after: "\(open); chgrp 12 g; chmod 2755 g")
        .asNobody(groups: "12").compare(in: path)
      try Twin("-p", "f", "new", after: "\(open); chgrp 12 f; \(AttributeTests.theirs)")
        .asNobody(groups: "12").compare(in: path)
    }
  }

  @Test("Of a file of another user only the times are reported, as with cp", .needs(.root))
  func foreign() throws {
    let open = "chmod 777 .; echo 1 >new; chown 12 new; chmod 666 new"
    try Twin("-p", "f", "new", after: open).asNobody().compare()
    try Twin("-a", "d", "to", after: "\(open); mkdir -p to/d; chown 12 to/d; chmod 777 to to/d")
      .asNobody().compare()
  }

  /// A file of the user who may do nothing special.
  private static let theirs = "echo 1 >new; chown 65534 new; chmod 644 new"

  @Test("An existing file that becomes read-only gets its attributes first (T19)", .needs(.root))
  func readOnly() throws {
    let place = try TemporaryDirectory()
    let script = """
      chmod 777 .; echo 2 >f; chmod 444 f; setfattr -n user.a -v 1 f; \(AttributeTests.theirs)
      \(Twin("").asNobody().call.split(separator: "exit $s").joined())
      echo $s; getfattr -d new; stat -c %a new
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path, "-a", "f", "new"],
      directory: place.path
    )
    #expect(text == "0\n# file: new\nuser.a=\"1\"\n\n444\n")
  }

  @Test(
    "A failure names attribute and file, and is one where asked for by name (T18)",
    .needs(.root)
  )
  func refused() throws {
    let place = try TemporaryDirectory()
    let capability = "0x0100000200200000000000000000000000000000"
    let script = """
      chmod 777 .; echo 2 >f; setfattr -n security.capability -v \(capability) f
      setfattr -n user.a -v 1 f; for o in -a -p\\ --preserve=xattr --preserve=all; do
        rm -f new; set -- $o f new
        \(Twin("").asNobody().call.split(separator: "exit $s").joined())
        echo $s; getfattr -d new; done 2>&1
      """
    let text = try runSuccessfully(
      ["bash", "-c", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let line =
      "fastcp: setting attribute 'security.capability' for 'new': Operation not permitted\n"
    let kept = "# file: new\nuser.a=\"1\"\n\n"
    #expect(text == "0\n\(kept)\(line)1\n\(kept)\(line)0\n\(kept)")
  }

  @Test("A link's own time and owner are kept, not its target's (T20)", .needs(.root))
  func links() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir t; echo 1 >t/f; touch -d @5 t/f; ln -s f t/l; touch -h -d @7.000000009 t/l
      chown -h 12:34 t/l; "$0" -a t u; stat -c '%n %y %u %g' u/l u/f
      ln -s /nowhere t/d; touch -h -d @8 t/d; "$0" -a t/d new; stat -c '%Y' new
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["TZ": "UTC"],
      directory: place.path
    )
    #expect(
      text == """
        u/l 1970-01-01 00:00:07.000000009 +0000 12 34
        u/f 1970-01-01 00:00:05.000000000 +0000 0 0
        8

        """
    )
  }

  @Test(
    "Attributes that cannot be stored are ignored, reported or fatal, as requested (T18)",
    .needs(.root)
  )
  func unsupported() throws {
    let place = try TemporaryDirectory()
    // Files of ramfs have neither attributes nor lists.
    let script = """
      mkdir r d; mount -t ramfs none r; echo 1 >f; setfattr -n user.a -v 1 f; echo 2 >d/f
      setfattr -n user.b -v 1 f; setfattr -n user.d -v 1 d
      for p in cp "$0"; do for o in -a --preserve=xattr --preserve=all '-a --preserve=xattr' \
        '--preserve=xattr -a' '-a --no-preserve=xattr' '-a --attributes-only'; do
        rm -rf r/*; s=0; (exec -a cp $p $o -r f d r) 2>&1 | sort || s=$?; echo "$o $s"; ls r r/d
      done; echo next; done
      """
    let text = try runSuccessfully(
      ["unshare", "-m", "bash", "-eo", "pipefail", "-c", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let halves = text.split(separator: "next\n")
    #expect(halves.count == 2)
    #expect(halves.first == halves.last)
    #expect(text.contains("setting attributes for 'r/f': Operation not supported"))
  }

  @Test(
    "Where lists cannot be stored, no user gets a right that a list denied (T44)",
    .needs(.root)
  )
  func narrowed() throws {
    let place = try TemporaryDirectory()
    let script = """
      mkdir r; mount -t ramfs none r; echo 1 >f; chmod 600 f; setfacl -m u:nobody:rw,g:12:r f
      stat -c %a f; s=0; "$0" -p f r/f 2>&1 || s=$?; echo $s; stat -c %a r/f
      """
    let text = try runSuccessfully(
      ["unshare", "-m", "bash", "-ec", script, BuiltProgram.fastcp.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    #expect(
      text == "660\nfastcp: preserving permissions for 'r/f': Operation not supported\n1\n600\n"
    )
  }

  /// Runs a script that does something while the FIFO `p` is being copied to `to/f`.
  private func duringCopy(
    _ meanwhile: String,
    prepared: String,
    copy: String = "-p --preserve=xattr p to/f",
    to file: String = "to/f"
  ) throws -> String {
    let place = try TemporaryDirectory()
    let script = """
      mkdir to; mkfifo -m 666 p; \(prepared)
      "$0" \(copy) & exec 3>p; printf x >&3
      until [ "$(head -c 1 \(file) 2>/dev/null)" = x ]; do sleep 0.01; done
      \(meanwhile); exec 3>&-; wait
      """
    return try run(
      ["bash", "-ec", "{ \(script)\n} 2>&1", BuiltProgram.fastcp.path],
      directory: place.path,
      timeout: .seconds(20)
    ).outputText
  }

  @Test(
    "A file that takes the copy's name meanwhile gets none of its attributes (T43)",
    .needs(.root)
  )
  func swappedName() throws {
    let text = try duringCopy(
      "mv to/f kept; ln -s ../secret to/f; after() { stat -c %a secret; getfattr -d -m - secret; "
        + "getfattr -d -m trusted kept | grep x=; getfacl -c kept | grep nobody; }; "
        + "trap after EXIT",
      prepared: "echo 1 >secret; chmod 600 secret; setfattr -n trusted.x -v 1 p; "
        + "setfacl -m u:nobody:r p"
    )
    #expect(text == "600\ntrusted.x=\"1\"\nuser:nobody:r--\n")
  }

  @Test("A source with a list is closed to all while it is copied (T12)", .needs(.root))
  func closedMeanwhile() throws {
    let text = try duringCopy(
      "stat -c %a to/f; trap 'stat -c %a to/f; getfacl -c to/f | grep nobody' EXIT",
      prepared: "setfacl -m u:nobody:rw p; setfacl -d -m u:12:rwx to"
    )
    #expect(text == "600\n666\nuser:nobody:rw-\n")
  }

  @Test("A directory is closed until its last file is there, then it is as its source (T12, T13)")
  func closedDirectory() throws {
    let text = try duringCopy(
      "stat -c %a to/d; getfacl -c to/d | grep -c : ; "
        + "trap 'stat -c \"%a %Y\" to/d; getfacl -c to/d | grep nobody' EXIT",
      prepared: "mkdir d; mv p d; ln -s d/p p; setfacl -m u:nobody:rwx d; chmod 777 d; "
        + "setfacl -d -m u:12:rwx to; touch -d @5 d",
      copy: "-a --copy-contents d to",
      to: "to/d/p"
    )
    #expect(text == "700\n3\n777 5\nuser:nobody:rwx\n")
  }

  @Test("Where the readers of a source are unknown, its copy stays closed (T44)")
  func unknownRights() throws {
    let place = try TemporaryDirectory()
    let script = """
      echo 1 >f; chmod 644 f; s=0
      "$1" deny=\(Self.listCall):5 deny=\(Self.getCall):5 -- "$0" -a f new || s=$?
      echo $s; stat -c %a new
      """
    let text = try runSuccessfully(
      [
        "bash", "-ec", "{ \(script)\n} 2>&1", BuiltProgram.fastcp.path,
        BuiltProgram.sandboxrun.path,
      ],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let reason = "of 'f': Input/output error\n"
    let lines = "fastcp: listing attributes \(reason)fastcp: failed to get permissions \(reason)"
    #expect(text == "\(lines)1\n600\n")
  }

  @Test(
    "A copy that cannot get its owner keeps the rights of the owner alone (T12, T13)",
    .needs(.root),
    arguments: ["-p", "--preserve=ownership"]
  )
  func unmappedOwner(option: String) throws {
    let prepare = """
      mkdir s to; echo 2 >to/644; chmod 666 to/644
      for m in 755 644 4755 555; do echo 1 >s/$m; chown 1234 s/$m; chmod $m s/$m; done
      """
    let call = "exec unshare -Ur \"$0\" \"$@\""
    try Twin(option, "s/755", "s/644", "s/4755", "s/555", "to", after: prepare)
      .calling(call).compare()
    let tree = """
      mkdir -p t/in t/st to; mkfifo t/p; echo 1 >t/in/f; chmod 1777 t/st; chown -R 1234 t
      """
    try Twin(option, "-r", "t", "to", after: tree).calling(call).compare()
  }

  #if arch(x86_64)
    private static let (setCall, removeCall, listCall, getCall) = (190, 199, 196, 193)
  #else
    private static let (setCall, removeCall, listCall, getCall) = (7, 16, 13, 10)
  #endif

  @Test("Where a list can be neither set nor taken off, the copy stays closed (T12, T44)")
  func closedAfterFailure() throws {
    let place = try TemporaryDirectory()
    let script = """
      echo 1 >f; chmod 640 f; setfacl -m u:nobody:rw f; echo 2 >g; chmod 664 g; echo 3 >old
      chmod 666 old; setfacl -m u:12:rw old; mkdir to; setfacl -d -m u:12:rwx to
      try() { s=0; "$1" deny=$2:5 ${5:-} -- "$0" -p $3 $4 2>&1 || s=$?; echo $s; stat -c %a $4; }
      try "$1" \(AttributeTests.setCall) f new; try "$1" \(AttributeTests.setCall) f old
      try "$1" \(AttributeTests.setCall) g to/g deny=\(AttributeTests.removeCall):5
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path, BuiltProgram.sandboxrun.path],
      environment: ["LC_ALL": "C"],
      directory: place.path
    )
    let lines = text.split(separator: "\n").map { String($0) }
    let expected = ["new", "old", "to/g"].flatMap {
      ["fastcp: preserving permissions for '\($0)': Input/output error", "1", "600"]
    }
    #expect(lines == expected)
  }
}
