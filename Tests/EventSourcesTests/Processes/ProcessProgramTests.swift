import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Process sources in programs of their own")
struct ProcessProgramTests {
  @Test("A child of a program that ignores SIGCHLD has a status", .needs(.statuses))
  func ignoredChild() throws {
    let output = try runSuccessfully([BuiltProgram.observe.path, "ignored"])
    #expect(output == "registered\nsignaled 9\n")
  }

  @Test("Another user observes a process of root", .needs(.root))
  func otherUser() async throws {
    let child = try Observed()
    let observer = try Observed([
      BuiltProgram.sandboxrun.path, "uid=65534", "--", BuiltProgram.observe.path, "process",
      "\(child.identifier)",
    ])
    try await eventually("the source is registered") { observer.outputLines == ["registered"] }
    child.kill()
    _ = try child.wait()
    #expect(try observer.wait().succeeded)
    #expect(observer.outputLines.count == 2)
  }

  @Test("1,000 sources and 100 cancelled tasks leave no descriptor open")
  func descriptors() throws {
    let output = try runSuccessfully([BuiltProgram.observe.path, "descriptors"])
    let words = output.split(whereSeparator: \.isWhitespace)
    try #require(words.count == 4)
    #expect(words[1] == words[3])
  }

  @Test(
    "Arguments without a meaning stop the program",
    arguments: [
      ("number", "The number of a process is positive. (S193)"),
      ("empty", "The mask of a process source has at least one event and no unknown ones. (S193)"),
      (
        "unknown", "The mask of a process source has at least one event and no unknown ones. (S193)"
      ),
    ]
  )
  func misuse(way: String, sentence: String) throws {
    let outcome = try run([BuiltProgram.observe.path, way])
    #expect(outcome.signal != 0)
    #expect(outcome.errorText.contains(sentence))
  }
}
