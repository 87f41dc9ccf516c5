internal import IOChannelsSystem

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

  /// How long its files are said to be.
  public enum Sizes: String, CaseIterable, Sendable {
    case exact
    case larger
    case smaller
    case zero
  }

  /// What its files are said to have beside their lengths.
  public enum Numbers: String, CaseIterable, Sendable {
    case exact
    /// The largest lengths and numbers of blocks, and as much free space.
    case huge
    /// The first time that there is.
    case early
    /// The last time that there is.
    case late
  }

  /// Mounts a file system in which nothing goes wrong yet.
  ///
  /// - Parameters:
  ///   - isDirect: Whether the page cache is left out.
  ///   - keepsCache: Whether pages of a file stay when it is opened once more.
  ///   - keepsNames: Whether the kernel keeps names and attributes for an hour.
  ///   - prefersLong: Whether transfers of 1 MiB are preferred.
  ///   - hasPositions: Whether open files have a position that can be set.
  ///   - sizes: How long its files are said to be.
  ///   - numbers: What else its files are said to have.
  ///   - base: Where the directory behind it stands; the default place when `nil`.
  /// - Throws: ``TestFailure`` when it cannot be mounted.
  public init(
    isDirect: Bool = false,
    keepsCache: Bool = false,
    keepsNames: Bool = false,
    prefersLong: Bool = false,
    hasPositions: Bool = true,
    sizes: Sizes = .exact,
    numbers: Numbers = .exact,
    in base: String? = nil
  ) throws {
    place = try TemporaryDirectory(in: base)
    path = place("mounted")
    behind = place("behind")
    try runSuccessfully(["mkdir", path, behind])
    try runSuccessfully(["chmod", "711", place.path])
    let options = [
      isDirect ? "direct" : nil, keepsCache ? "keep" : nil, keepsNames ? "stale" : nil,
      prefersLong ? "long" : nil, hasPositions ? nil : "streams",
      sizes == .exact ? nil : sizes.rawValue,
      numbers == .exact ? nil : numbers.rawValue,
    ].compactMap(\.self)
    try runSuccessfully(
      [BuiltProgram.faultfs.path] + (options.isEmpty ? [] : [options.joined(separator: ",")])
        + [behind, path, place("rules")]
    )
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
    let here = BorrowedDescriptor.workingDirectory
    try? here.remove(BytePath(place("rules.log")))
    let file = try here.open(
      BytePath(place("rules.new")),
      [.writeOnly, .create, .exclusive],
      permissions: 0o644
    )
    let text = Array(rules.map { $0 + "\n" }.joined().utf8)
    let count = text.isEmpty ? 0 : try file.borrowed.write(text, 0..<text.count)
    guard count == text.count else { throw TestFailure("the rules were not written") }
    try here.rename(BytePath(place("rules.new")), to: BytePath(place("rules")), replacing: true)
  }

  /// The first things that went wrong since the rules were set: operation, name, action and value.
  public func uses() -> [String] {
    // Until something went wrong there is no such file.
    let bytes = (try? FaultFileSystem.firstBytes(of: BytePath(place("rules.log")))) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func firstBytes(of path: BytePath) throws(SystemError) -> [UInt8] {
    let file = try BorrowedDescriptor.workingDirectory.open(path, .readOnly)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try file.borrowed.read(into: &bytes)
    return Array(bytes[..<count])
  }

  /// The file to which rules with the action `record` append operations.
  public var recordPath: String { place("rules.record") }

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
