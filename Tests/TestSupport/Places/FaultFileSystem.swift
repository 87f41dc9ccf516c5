/// A file system that passes everything on to a directory, except what rules let go wrong.
///
/// Needs ``Need/fuse``. The rules are those of the program `faultfs`, one a line:
/// `OPERATION NAME WHICH ACTION VALUE`.
public final class FaultFileSystem: Sendable {
  /// Where the file system is mounted.
  public let path: String
  /// The directory behind it, where nothing goes wrong.
  public let behind: String
  private let place: TemporaryDirectory

  /// Mounts a file system in which nothing goes wrong yet.
  ///
  /// - Parameters:
  ///   - isDirect: Whether the page cache is left out.
  ///   - base: Where the directory behind it stands; the default place when `nil`.
  /// - Throws: ``TestFailure`` when it cannot be mounted.
  public init(isDirect: Bool = false, in base: String? = nil) throws {
    place = try TemporaryDirectory(in: base)
    path = place("mounted")
    behind = place("behind")
    try runSuccessfully(["mkdir", path, behind])
    try runSuccessfully(["chmod", "711", place.path])
    let options = isDirect ? ["direct"] : []
    try runSuccessfully([BuiltProgram.faultfs.path] + options + [behind, path, place("rules")])
  }

  deinit {
    // Whatever hangs goes on first.
    try? setRules()
    let plain = try? run(["umount", path], environment: LoopImage.systemPath)
    if plain?.succeeded ?? false { return }
    _ = try? run(["umount", "-l", path], environment: LoopImage.systemPath)
  }

  /// Lets other things go wrong from now on, counted anew; without rules nothing.
  public func setRules(_ rules: String...) throws {
    let script = "rm -f rules.log; printf '%s\\n' \"$@\" >rules.new; mv rules.new rules"
    try runSuccessfully(["sh", "-c", script, "sh"] + rules, directory: place.path)
  }

  /// What went wrong since the rules were set: operation, name, action and value.
  public func uses() throws -> [String] {
    try runSuccessfully(["sh", "-c", "cat rules.log 2>/dev/null || :"], directory: place.path)
      .split(separator: "\n").map(String.init)
  }

  /// Waits until a rule was used.
  ///
  /// - Throws: ``TestFailure`` when that does not happen within 20 seconds.
  public func waitForUse() throws {
    try runSuccessfully(
      ["sh", "-c", "until [ -s rules.log ]; do sleep 0.005; done"],
      directory: place.path,
      timeout: .seconds(20)
    )
  }
}
