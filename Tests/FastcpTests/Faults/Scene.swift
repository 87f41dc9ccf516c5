import IOChannelsTestSupport

/// A directory of its own, filled by a script, and programs that run in it.
struct Scene {
  let place: TemporaryDirectory

  init(_ script: String = ":", in base: String? = nil) throws {
    place = try TemporaryDirectory(in: base)
    try shell(script)
  }

  /// Runs a script that must succeed, and returns what it prints.
  @discardableResult
  func shell(_ script: String, timeout: Duration = .seconds(60)) throws -> String {
    try runSuccessfully(["bash", "-ec", script], directory: place.path, timeout: timeout)
  }

  /// Runs the copier, behind the words of `wrapper`.
  func copy(
    _ arguments: String...,
    behind wrapper: [String] = [],
    environment: [String: String?] = [:],
    timeout: Duration = .seconds(60)
  ) throws -> Outcome {
    try run(
      wrapper + [BuiltProgram.fastcp.path] + arguments,
      environment: environment,
      directory: place.path,
      timeout: timeout
    )
  }

  /// The differences of two trees; relative names are those in the place.
  func differences(
    _ one: String,
    _ other: String,
    ignoring: Set<TreeListing.Field> = [.allocated]
  ) throws -> [String] {
    try TreeListing(of: path(one)).differences(
      from: TreeListing(of: path(other)),
      ignoring: ignoring
    )
  }

  private func path(_ name: String) -> String { name.hasPrefix("/") ? name : place(name) }
}
