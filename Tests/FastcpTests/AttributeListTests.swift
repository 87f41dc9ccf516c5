import IOChannelsTestSupport
import Testing

/// A list of attribute names that cannot be read affects only what it is needed for.
@Suite("Lists of attributes")
struct AttributeListTests {
  #if arch(x86_64)
    private static let (get, list) = (193, 196)
  #else
    private static let (get, list) = (10, 13)
  #endif

  /// Copies a file and a directory while calls are denied. Each has an access list if `acl` is set.
  private func copy(_ denied: String, acl: Bool = false, _ options: String...) throws -> String {
    let place = try TemporaryDirectory()
    let lists = acl ? "setfacl -m u:12:r f d; setfacl -d -m u:12:rwx d" : ":"
    let script = """
      echo 1 >f; chmod 755 f; setfattr -n user.a -v 1 f; mkdir d; chmod 751 d; mkdir to; \(lists)
      touch -d @5 f d; chown 12:34 f
      for o in "${@:2}"; do
        s=0; "$1" \(denied) -- "$0" $o -r f d to 2>&1 | sort || s=$?; echo "$o $s"
        stat -c '%n %a %u %Y' to/f to/d; getfacl -cp to/f to/d | grep 12 || :
        getfattr --only-values -n user.a to/f 2>/dev/null || :; rm -r to/*
      done
      """
    return try run(
      [
        "bash", "-o", "pipefail", "-ec", "{ \(script)\n} 2>&1", BuiltProgram.fastcp.path,
        BuiltProgram.sandboxrun.path,
      ] + options,
      environment: ["LC_ALL": "C"],
      directory: place.path
    ).outputText
  }

  @Test(
    "A list that is too long keeps no other metadata from being set (T18)",
    .needs(.root),
    arguments: [7, 34]
  )
  func tooLong(error: Int) throws {
    let reason = error == 7 ? "Argument list too long" : "Numerical result out of range"
    let lines = ["d", "f"].map { "fastcp: listing attributes of '\($0)': \(reason)\n" }.joined()
    let set = "to/f 755 12 5\nto/d 751 0 5\n"
    let expected =
      "-p 0\n\(set)-a 0\n\(set)\(lines)-p --preserve=xattr 1\n\(set)"
    let denied = "deny=\(Self.list):\(error)"
    #expect(try copy(denied, "-p", "-a", "-p --preserve=xattr") == expected)
  }

  @Test("Access lists are read without the list of names (T44)", .needs(.root), arguments: [5, 7])
  func accessLists(error: Int) throws {
    let text = try copy("deny=\(Self.list):\(error)", acl: true, "-p", "--preserve=mode")
    let lists = "user:12:r--\nuser:12:r--\ndefault:user:12:rwx\n"
    let lines = text.split(separator: "\n").filter { !$0.contains("to/") }
    #expect(lines.joined(separator: "\n") + "\n" == "-p 0\n\(lists)--preserve=mode 0\n\(lists)")
  }

  @Test(
    "A copy whose access list is unknown gets all but the rights of other users (T44)",
    .needs(.root)
  )
  func unknown() throws {
    let text = try copy("deny=\(Self.list):5 deny=\(Self.get):5", "-p")
    let lines = ["d", "f"].map {
      "fastcp: failed to get permissions of '\($0)': Input/output error\n"
    }.joined()
    #expect(text == "\(lines)-p 1\nto/f 700 12 5\nto/d 700 0 5\n")
  }

  @Test("Of 400 long names on xfs a copy is that of cp (T18)", .needs(.root, .xfs))
  func manyNames() throws {
    let image = try LoopImage(.xfs, megabytes: 320)
    let script = """
      cd "$1"; echo 1 >f; chmod 755 f; setfacl -m u:12:r f; touch -d @5 f
      for i in {100..499}; do echo user.n$i$(printf '%0230d' 0); done >names
      while read n; do setfattr -n $n -v 1 f; done <names
      for p in cp "$0"; do for o in -p --preserve=mode -a --preserve=all --preserve=xattr; do
        rm -f new; s=0; (exec -a cp $p $o f new) 2>&1 || s=$?; echo "$o $s"
        stat -c %a new; getfacl -c new; stat -c %Y new | grep '^5$' || :
      done; echo next; done
      """
    let text = try runSuccessfully(
      ["bash", "-ec", script, BuiltProgram.fastcp.path, image.path],
      environment: ["LC_ALL": "C"]
    )
    let halves = text.split(separator: "next\n")
    #expect(halves.count == 2)
    #expect(halves.first == halves.last, "\(text)")
  }
}
