import IOChannelsTestSupport
import Testing

@Suite("Channels with few or no threads (S103, S166)")
struct ThreadlessChannelTests {
  /// Runs the probe of channels, and returns the lines about its file.
  private func probe(in sandbox: [String], _ setting: String) throws -> [Substring] {
    let directory = try TemporaryDirectory()
    try runSuccessfully(["chmod", "777", directory.path])
    let outcome = try run(
      [BuiltProgram.sandboxrun.path] + sandbox + [
        "--", BuiltProgram.channeltool.path, "probe", directory.path,
      ],
      environment: ["IOCHANNELS_BACKEND": setting]
    )
    #expect(outcome.succeeded, "\(sandbox), \(setting): \(outcome)")
    let lines = outcome.outputText.split(separator: "\n").filter { line in
      ["written", "part", "whole", "behind"].contains { line.hasPrefix($0) }
    }
    #expect(lines.allSatisfy { $0.contains(" expected bytes, ") }, "\(sandbox): \(lines)")
    return lines
  }

  @Test("Channels of files work without threads", arguments: ["auto", "threads"])
  func channelsOfFilesWorkWithoutThreads(setting: String) throws {
    let expected = try probe(in: ["nofile=1024"], setting)
    #expect(expected.count == 7)
    for sandbox in Sandbox.withoutThreads {
      #expect(try probe(in: sandbox, setting) == expected, "\(sandbox)")
    }
  }

  @Test("Few threads are enough", .needs(.root), arguments: ["auto", "threads"])
  func fewThreadsAreEnough(setting: String) throws {
    let expected = try probe(in: ["nofile=1024"], setting)
    for count in 1...6 {
      let user = 61_000 + 10 * count + (setting == "auto" ? 0 : 1)
      let lines = try probe(in: Sandbox.threads(count, user: user), setting)
      #expect(lines == expected, "\(count) threads")
    }
  }
}
