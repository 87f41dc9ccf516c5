import IOChannelsTestSupport
import Testing

/// The calls of Tests/Tables/dispatch-calls.txt, compiled in several ways.
@Suite("Calls that Dispatch accepts")
struct DispatchCallsTests {
  /// A way to compile the calls.
  enum Way: String, CaseIterable {
    /// With Dispatch itself.
    case dispatch
    /// With the names of the product `DispatchNames`.
    case names
    /// With a copy of the names in the module of the calls, which imports Foundation.
    case copiedNames
    /// After the script of the page about moving from Dispatch.
    case renamed
  }

  /// Functions in which a handler is not `Sendable`, or changes a variable.
  private static let dataRaces: Set = ["i01", "i14", "H"]

  private let root: String
  private let built = BuiltProgram.directory

  init() {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    root = parts.dropLast(3).joined(separator: "/")
  }

  @Test("In Swift 5 mode they compile without a warning", arguments: Way.allCases)
  func five(way: Way) throws {
    let messages = try compile(way, version: "5")
    // Dispatch deprecates a few of its own forms.
    let counted = messages.filter { way != .dispatch || !$0.contains("is deprecated") }
    #expect(counted == [], "\(way)")
  }

  @Test("In Swift 6 mode only data races are warnings", arguments: Way.allCases)
  func six(way: Way) throws {
    if way == .dispatch { return }
    let calls = try lines(of: "Tests/Tables/dispatch-calls.txt")
    let messages = try compile(way, version: "6")
    let others = messages.filter { message in
      guard message.contains(": warning: "), let line = Self.line(in: message),
        calls.indices.contains(line - 1)
      else { return true }
      return !Self.dataRaces.contains { calls[line - 1].contains(" \($0)") }
    }
    #expect(others == [], "\(way)")
  }

  /// Compiles the calls; the number of a line is that of the table.
  ///
  /// - Returns: The errors and warnings.
  private func compile(_ way: Way, version: String) throws -> [String] {
    let directory = try TemporaryDirectory()
    let imported =
      switch way {
      case .dispatch: "import Dispatch"
      case .names: "import DispatchNames"
      case .copiedNames: "import EventSources; import Foundation; import IOChannels"
      case .renamed: "import EventSources; import IOChannels"
      }
    // The imports take the place of the comment at the top.
    let table = try lines(of: "Tests/Tables/dispatch-calls.txt").dropFirst(2)
    let calls = try directory.write(text([imported, "import Glibc"] + table), to: "calls.swift")
    var files = [calls]
    if way == .copiedNames { files.append("\(root)/Sources/DispatchNames/DispatchNames.swift") }
    if way == .renamed {
      let script = try directory.write(text(try renames()), to: "rename.sed")
      _ = try runSuccessfully(["sed", "-i", "-f", script, calls])
    }
    let outcome = try run(
      [
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", version, "-module-name",
        "calls", "-I", "\(built)/Modules", "-I", "\(built)/CIOChannelsSystem.build",
        "-I", "\(root)/Sources/CIOChannelsURing", "-I", "\(root)/Sources/CIOChannelsHash",
      ] + files,
      timeout: .seconds(120)
    )
    return outcome.errorLines.filter { $0.contains(": error: ") || $0.contains(": warning: ") }
      .filter { !$0.hasPrefix(" ") }
  }

  /// The script in FROM-DISPATCH.
  private func renames() throws -> [String] {
    let page = try lines(of: "Documentation/Using/FROM-DISPATCH.md")
    let start = try #require(page.firstIndex(of: "```sed"))
    return Array(page[(start + 1)...].prefix { $0 != "```" })
  }

  private func lines(of path: String) throws -> [String] {
    try runSuccessfully(["cat", "\(root)/\(path)"]).split(
      separator: "\n",
      omittingEmptySubsequences: false
    ).map(String.init)
  }

  private func text(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The number in `calls.swift:NUMBER:`.
  private static func line(in message: String) -> Int? {
    guard let name = message.firstRange(of: "calls.swift:") else { return nil }
    return Int(message[name.upperBound...].prefix { $0.isNumber })
  }
}
