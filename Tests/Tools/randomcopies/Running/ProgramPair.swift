import IOChannelsSystem
import IOChannelsTestSupport

/// A program that is compared, under the name `cp` in a directory of its own.
///
/// So its messages begin with the same name as those of the other one, and any user can run it.
struct Program {
  let directory: String
  /// The numbers of the version, such as 9 and 1.
  let version: [Int]
  let help: String
  /// The words that tell the sandbox what fails for the program.
  let refusals: [String]

  /// Copies the program at a path into a new directory.
  init(_ path: String, in directory: String, refusals: [String] = []) throws {
    self.directory = directory
    self.refusals = refusals
    try runSuccessfully(["mkdir", directory])
    try runSuccessfully(["cp", "--", path, "\(directory)/cp"])
    try runSuccessfully(["chmod", "755", directory, "\(directory)/cp"])
    help = try runSuccessfully(["\(directory)/cp", "--help"])
    let first = try runSuccessfully(["\(directory)/cp", "--version"]).split(separator: "\n").first
    let number = first?.split(separator: " ").last ?? ""
    version = number.split(separator: ".").compactMap { Int($0) }
  }
}

/// The reference and the copier.
struct ProgramPair: CustomStringConvertible {
  private static let variable = "FASTCP_REFERENCE_CP"
  #if arch(arm64)
    private static let exclusiveRename = 276
  #else
    private static let exclusiveRename = 316
  #endif

  let reference: Program
  let tested: Program
  private let path: String

  /// Copies both programs into a directory.
  ///
  /// Exclusive renames of the copier fail with `serverError`.
  init(in directory: String, serverError: UInt8?) throws {
    path = try Environment.value(of: ProgramPair.variable) ?? ProgramPair.installedPath()
    reference = try Program(path, in: "\(directory)/reference")
    tested = try Program(
      BuiltProgram.fastcp.path,
      in: "\(directory)/tested",
      refusals: serverError.map { ["deny=\(ProgramPair.exclusiveRename):\($0)"] } ?? []
    )
  }

  private static func installedPath() throws -> String {
    try String(runSuccessfully(["sh", "-c", "command -v cp"]).dropLast())
  }

  /// The options that both programs have.
  var choices: [OptionChoice] {
    OptionChoice.all.filter { reference.help.contains($0.mark) }
  }

  /// The path and the version of the reference.
  var description: String {
    let version = reference.version.map { "\($0)" }.joined(separator: ".")
    return "\(path) \(version)"
  }
}
