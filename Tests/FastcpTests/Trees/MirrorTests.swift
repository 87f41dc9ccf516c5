import IOChannelsTestSupport
import Testing

/// The mirror that the manual recommends, of real trees, made and renewed by two users.
@Suite("Mirrors of real trees", .needs(.root, .git), .ends(withinMinutes: 10))
struct MirrorTests {
  enum Tree: String, CaseIterable, Sendable {
    /// A few entries of each kind, in both tiers.
    case small
    /// This repository with its build directory, which git ignores.
    case repository
    /// The programs of the system.
    case system
  }

  enum User: String, CaseIterable, Sendable {
    case root
    case nobody

    /// The words before a command of the user.
    var wrapper: [String] {
      self == .root ? [] : ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    }
  }

  private static let small = """
    mkdir -p s/out/x s/d/e s/closed s/.git; printf '/out/\\n*.o\\n' >s/.gitignore
    for i in {1..60}; do echo $i >s/d/$i; echo $i >s/d/e/$i.o; echo $i >s/out/x/$i; done
    head -c 5000000 /dev/urandom >s/large; truncate -s 2M s/d/holes; echo x >>s/d/holes
    ln s/d/1 s/hard; ln -s d s/link; ln -s nowhere s/dangling; mkfifo s/d/e/fifo; echo 1 >s/.git/a.o
    echo 1 >s/secret; chmod 600 s/secret; echo 1 >s/closed/f; chmod 700 s/closed; chmod 2755 s/d
    touch -d 2001-02-03T04:05:06.789 s/d/* s/d s
    """

  private static var repository: String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/")
  }

  private static let unmount = """
    umount repository/.build* 2>/dev/null || :; umount repository 2>/dev/null \
      || umount -l repository 2>/dev/null || :
    """

  private static let timeout = Duration.seconds(Tier.count(quick: 60, full: 7200))

  private func copy(_ scene: Scene, _ source: String, as user: User) throws -> Outcome {
    let options = ["--resume", "--delete", "--gitignore", "--verify", "--durable", "--json"]
    // Other tests may use the repository of git meanwhile.
    let excluded = source == scene.place("repository") ? ["--exclude=/.git"] : []
    return try run(
      user.wrapper + [scene.place("program"), "-aT"] + options + excluded
        + [source, scene.place("to/mirror")],
      directory: scene.place.path,
      timeout: Self.timeout
    )
  }

  /// Returns the paths that git ignores, as a listing names them.
  private func ignored(in source: String, _ scene: Scene) throws -> Set<String> {
    let text = try scene.shell(
      """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME=$PWD
      rm -rf oracle; git init -q --template= oracle; mkdir oracle/.git/info
      cp '\(source)/.git/info/exclude' oracle/.git/info 2>/dev/null || :
      export GIT_DIR=$PWD/oracle/.git GIT_WORK_TREE='\(source)'; cd '\(source)'
      find . -mindepth 1 -name .git -prune -o -print0 \\
        | git check-ignore --no-index -v -z --stdin || [ $? = 1 ]
      """,
      timeout: Self.timeout
    )
    // Each record has a file, a line, a pattern and a path. A negated pattern includes the path.
    let fields = text.split(separator: "\0", omittingEmptySubsequences: false)
    let records = stride(from: 0, to: fields.count - 3, by: 4)
    return Set(records.filter { fields[$0 + 2].first != "!" }.map { String(fields[$0 + 3]) })
  }

  /// Returns the files and directories that a user cannot read.
  private func unreadable(in source: String, by user: User, _ scene: Scene) throws -> Set<String> {
    if user == .root { return [] }
    let outcome = try run(
      user.wrapper + ["find", ".", "-mindepth", "1", "!", "-type", "l", "!", "-readable"],
      directory: source,
      timeout: Self.timeout
    )
    return Set(outcome.outputText.split(separator: "\n").map(String.init))
  }

  /// Returns the paths of all directories above an entry.
  private func parents(of path: String) -> [String] {
    path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
  }

  @Test(
    "A mirror has all names that git does not ignore, and a second run renews it (T51, T57, T63)",
    arguments: Tree.allCases,
    User.allCases
  )
  func twice(tree: Tree, user: User) throws {
    if tree != .small { try Need.full.orSkip() }
    let scene = try Scene(Self.small)
    try scene.shell("mkdir -m 777 to repository; cp '\(BuiltProgram.fastcp.path)' program")
    try scene.shell("chmod 755 . program")
    var source = scene.place("s")
    if tree == .system { source = "/usr" }
    defer { _ = try? scene.shell(Self.unmount) }
    if tree == .repository {
      // So another user reaches it, whatever directory it is in, and no program writes to it.
      source = scene.place("repository")
      try scene.shell(
        "mount --bind '\(Self.repository)' repository && mount -o remount,bind,ro repository"
          + " || { \(Self.unmount); exit 1; }"
      )
    }
    let first = try copy(scene, source, as: user)
    // The build directory may change while it is listed, and is not copied.
    try scene.shell("for d in repository/.build*; do [ ! -d $d ] || mount -t tmpfs none $d; done")
    let ignored = try ignored(in: source, scene)
    func isIgnored(_ path: String) -> Bool {
      ignored.contains(path) || parents(of: path).contains(where: ignored.contains)
    }
    let unread = try unreadable(in: source, by: user, scene).filter { !isIgnored($0) }
    let all = try TreeListing(of: source)
    let expected = all.filter { path in
      if tree == .repository && (path == "./.git" || path.hasPrefix("./.git/")) { return false }
      if isIgnored(path) { return false }
      if parents(of: path).contains(where: unread.contains) { return false }
      return !unread.contains(path) || all.value(.kind, of: path) == "d"
    }
    var fields: Set<TreeListing.Field> = [.allocated]
    // The copies of another user have other owners, and no metadata that depend on the owner.
    if user == .nobody { fields.formUnion([.user, .group, .mode, .attributes]) }
    #expect(first.status == (unread.isEmpty ? 0 : 1), "\(first.errorLines.prefix(5))")
    #expect(first.errorLines.isEmpty == unread.isEmpty, "\(first.errorLines.prefix(5))")
    let made = try TreeListing(of: scene.place("to/mirror"))
    #expect(made.differences(from: expected, ignoring: fields).prefix(5) == [])

    let change = """
      cd to/mirror; f=$(find . -type f -links 1 -size +0 | LC_ALL=C sort | head -n 1); rm -f "$f"
      mkdir extra; echo 1 >extra/f
      """
    try runSuccessfully(user.wrapper + ["bash", "-ec", change], directory: scene.place.path)
    let second = try copy(scene, source, as: user)
    #expect(second.status == first.status, "\(second.errorLines.prefix(5))")
    let summary = try JSONSummary(second)
    #expect(summary.number("removed") == 2)
    if user == .root { #expect(summary.number("files") == 1) }
    let renewed = try TreeListing(of: scene.place("to/mirror"))
    #expect(renewed.differences(from: expected, ignoring: fields).prefix(5) == [])
  }
}
