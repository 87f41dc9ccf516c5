import IOChannelsTestSupport
import Testing

/// Passes a program that uses the libraries to the compiler.
func typecheck(_ program: String) throws -> Outcome {
  let directory = try TemporaryDirectory()
  let path = try directory.write(Array(program.utf8), to: "main.swift")
  let built = BuiltProgram.directory
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  let sources = parts.dropLast(3).joined(separator: "/") + "/Sources"
  return try run(
    [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", "\(built)/Modules",
      "-I", "\(built)/CIOChannelsSystem.build", "-I", "\(sources)/CIOChannelsURing",
      "-I", "\(sources)/CIOChannelsBLAKE2", "-I", "\(sources)/CIOChannelsCrypto",
      "-I", "\(sources)/CIOChannelsHash", path,
    ],
    timeout: .seconds(120)
  )
}

@Suite("Messages of the compiler")
struct CompilerMessageTests {
  @Test("A misspelt error names its type or its right name, and numbers still compare")
  func errors() throws {
    let program = """
      import IOChannels
      func check(_ error: IOChannelError, _ number: Int32, _ optional: SystemError?) -> Bool {
        _ = error.reason == number || number != .noSpace || optional == .noSpace || number == 2
        if error.reason == .noSuchFile { return true }
        if error.reason != .cancelled { return true }
        return error.reason == .unheardOf
      }

      """
    let lines = try typecheck(program).errorLines.filter { $0.contains(": error: ") }
    let errors = lines.compactMap { $0.split(separator: ": error: ").last.map(String.init) }
    #expect(
      errors == [
        "'noSuchFile' has been renamed to 'noSuchFileOrDirectory'",
        "'cancelled' has been renamed to 'canceled'",
        "type 'SystemError' has no member 'unheardOf'",
      ]
    )
  }
}
