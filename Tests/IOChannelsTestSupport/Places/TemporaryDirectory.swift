/// A directory of its own for a test, removed with everything in it when the value is let go.
///
/// It stands in `IOCHANNELS_TEST_DIRECTORY`, or in `/tmp`.
public final class TemporaryDirectory: Sendable {
  /// The absolute path, without a slash at the end.
  public let path: String

  /// Makes an empty directory.
  ///
  /// - Parameter base: Where it stands; the default place when `nil`.
  /// - Throws: ``TestFailure`` when it cannot be made.
  public init(in base: String? = nil) throws {
    let parent = base ?? Calls.environmentValue("IOCHANNELS_TEST_DIRECTORY") ?? "/tmp"
    let made = try runSuccessfully(["mktemp", "-d", "\(parent)/iochannels-test.XXXXXXXX"])
    path = String(made.dropLast())
  }

  deinit {
    // Directories that a test closed even to their owner are opened first.
    _ = try? run(["chmod", "-R", "u+rwx", path])
    _ = try? run(["rm", "-rf", "--one-file-system", path])
  }

  /// The path of a name inside.
  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file.
  ///
  /// - Returns: Its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try runSuccessfully(["sh", "-c", "cat > \"$0\"", self(name)], input: bytes)
    return self(name)
  }
}
