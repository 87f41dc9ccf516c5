import IOChannelsTestSupport
import Testing

/// Each test has a process of its own.
@Suite("Engines and their process", .needs(.ring)) struct ProcessTests {
  private func run(_ way: String) throws -> Outcome {
    let place = try TemporaryDirectory()
    let path = try place.write((0..<4096).map { UInt8(truncatingIfNeeded: $0) }, to: "file")
    return try IOChannelsTestSupport.run(
      [BuiltProgram.engines.path, way, path],
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
  }

  @Test("Works", arguments: ["fork", "forkBeforeUse", "forkAndLetGo", "end"])
  func works(way: String) throws {
    let outcome = try run(way)
    #expect(outcome.succeeded && outcome.outputText == "done\n", "\(outcome)")
  }

  @Test("A child starts threads of its own")
  func aChildStartsThreadsOfItsOwn() throws {
    let outcome = try run("forkAndBackground")
    #expect(outcome.succeeded && outcome.outputText == "done\n", "\(outcome)")
  }

  @Test(
    "A child that uses an engine of its parent gets an error",
    arguments: [
      ("forkAndQueue", "queues and pools"), ("forkAndThreads", "queues and pools"),
      ("forkAndBusyQueue", "queues and pools"), ("forkAndMainQueue", "main queue"),
      ("forkAndTimer", "timers"),
    ]
  )
  func aChildThatUsesWhatItsParentMadeIsTold(way: String, what: String) throws {
    let outcome = try run(way)
    #expect(outcome.succeeded, "\(outcome)")
    let sentence = "A child of a fork cannot use the \(what) of its parent."
    #expect(outcome.errorText.contains(sentence), "\(outcome)")
  }
}
