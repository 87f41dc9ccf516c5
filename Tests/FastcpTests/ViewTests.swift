import IOChannelsTestSupport
import Testing

/// A destination that the source shows under another device number, or in a part of it.
@Suite("Destinations that the source shows")
struct ViewTests {
  /// A copy into a view of its source.
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: String
    /// The part of the message after the source, and the names that are left in `top`.
    let message: String
    let top: String
    let names: String
    let mounts: String

    init(_ arguments: String, _ message: String, _ top: String, _ names: String, after: String) {
      self.arguments = arguments
      self.message = message
      self.top = top
      self.names = names
      mounts = after
    }

    var testDescription: String { "\(arguments) after \(mounts)" }
  }

  private static let tree = "mkdir -p up/sub; echo 1 >up/f; echo 2 >up/sub/g"
  private static let overlay = """
    \(tree); mkdir lo wk mg
    mount -t overlay overlay mg -o lowerdir=lo,upperdir=up,workdir=wk
    """
  private static let copied = "copy copy/f copy/sub copy/sub/g f sub sub/g"
  private static let inner = "mkdir -p r/p/q r/s d/p; echo 1 >r/p/f; echo 2 >r/s/g"

  /// Runs a script in a small file system, where a copy without end ends when the inodes do.
  private func run(_ script: String) throws -> Outcome {
    let memory = try MemoryFileSystem(kibibytes: 8192, inodes: 600)
    return try IOChannelsTestSupport.run(
      [
        "unshare", "-m", "bash", "-ec", "cd \"$1\"; \(script)", BuiltProgram.fastcp.path,
        memory.path,
      ],
      environment: ["LC_ALL": "C"]
    )
  }

  private func check(_ test: Case, jobs: Int) throws {
    let outcome = try run(
      """
      \(test.mounts)
      { "$0" --jobs=\(jobs) \(test.arguments) 2>&1 || echo $?; } | head -n 5
      find \(test.top) -mindepth 1 -printf '%P\\n' | sort | tr '\\n' ' '; echo
      umount r/p/q || :; umount mg || :
      """
    )
    let lines = outcome.outputText.split(separator: "\n").map { String($0) }
    let message = "fastcp: cannot copy a directory, \(test.message)"
    #expect(lines == [message, "1", test.names + " "], "\(outcome)")
  }

  @Test(
    "A copy into a view of its source ends where the view shows it (T5)",
    .needs(.root),
    arguments: [
      Case("-r up mg/copy", "'up', into itself, 'mg/copy'", "up", copied, after: overlay),
      Case("-r mg up/copy", "'mg', into itself, 'up/copy'", "up", copied, after: overlay),
      Case(
        "-a up/. mg/sub",
        "'up/.', into itself, 'mg/sub/.'",
        "up",
        "f sub sub/f sub/g",
        after: overlay
      ),
      Case(
        "-rT up mg/sub",
        "'up', into itself, 'mg/sub'",
        "up",
        "f sub sub/f sub/g",
        after: overlay
      ),
      Case(
        "-r up mg/sub",
        "'up', into itself, 'mg/sub/up'",
        "up",
        "f sub sub/g sub/up sub/up/f sub/up/sub sub/up/sub/g",
        after: overlay
      ),
      Case(
        "-rT r d",
        "'r', into itself, 'd'",
        "d",
        "p p/f s s/g",
        after: "\(inner); mount --bind d/p r/p/q"
      ),
      Case(
        "-rT r d",
        "'r', into itself, 'd'",
        "d",
        "p p/f s s/g",
        after: """
          \(inner); mkdir lo wk
          mount -t overlay overlay r/p/q -o lowerdir=lo,upperdir=d/p,workdir=wk
          """
      ),
    ],
    [1, 4]
  )
  func overlays(test: Case, jobs: Int) throws { try check(test, jobs: jobs) }

  @Test(
    "A copy into a view that a program serves ends where the view shows it (T5)",
    .needs(.root, .fuse, .fileSystems),
    arguments: [
      Case(
        "-r up mg/copy",
        "'up', into itself, 'mg/copy'",
        "up",
        copied,
        after: "\(tree); mkdir mg; bindfs up mg"
      ),
      Case(
        "-a mg up/copy",
        "'mg', into itself, 'up/copy'",
        "up",
        copied,
        after: "\(tree); mkdir mg; bindfs up mg"
      ),
      Case(
        "-rT up mg",
        "'up', into itself, 'mg'",
        "up/sub",
        "f g",
        after: "\(tree); mkdir mg; bindfs up/sub mg"
      ),
      Case(
        "-rT r d",
        "'r', into itself, 'd'",
        "d",
        "p p/f s s/g",
        after: "\(inner); mkdir mg; bindfs d/p mg; mount --bind mg r/p/q"
      ),
    ],
    [1, 4]
  )
  func served(test: Case, jobs: Int) throws { try check(test, jobs: jobs) }

  @Test("Several destinations that the source shows do not grow without end (T5)", .needs(.root))
  func several() throws {
    let outcome = try run(
      """
      \(Self.overlay); mkdir up/a
      { "$0" -rT --also-to=mg/b up mg/a 2>&1 || echo $?; } | head -n 20
      find up | wc -l; cat up/a/f up/b/f up/b/sub/g
      """
    )
    let lines = outcome.outputText.split(separator: "\n").map { String($0) }
    #expect(outcome.succeeded && lines.suffix(3) == ["1", "1", "2"], "\(outcome)")
    #expect(lines.contains { $0.contains("copy to 'mg/a' is incomplete") }, "\(lines)")
    // One of them may get a copy of the other one, which is begun at the same time.
    #expect(lines.dropLast(3).last.flatMap { Int($0) } ?? .max < 40, "\(lines)")
  }

  @Test("A view that shows no new names of the destination is copied (T5)", .needs(.root))
  func harmless() throws {
    let outcome = try run(
      """
      \(Self.overlay); mkdir lo/sub; echo 3 >lo/h; ls lo >/dev/null
      "$0" -r lo mg/copy; "$0" -r lo mg/copy; "$0" -rT lo mg/sub
      find up -mindepth 1 -printf '%P\\n' | sort | tr '\\n' ' '; echo; find lo | wc -l
      """
    )
    let names = "copy copy/h copy/lo copy/lo/h copy/lo/sub copy/sub f sub sub/g sub/h sub/sub "
    #expect(outcome.succeeded && outcome.outputText == "\(names)\n3\n", "\(outcome)")
  }
}
