import IOChannelsTestSupport
import Testing

@testable import EventSources

/// Signals concern a whole process, so each test runs a program of its own.
@Suite("Signal sources")
struct SignalSourceTests {
  private func run(
    _ arguments: String...,
    backtrace: String = "enable=no"
  ) throws -> Outcome {
    try IOChannelsTestSupport.run(
      [BuiltProgram.signalsources.path] + arguments,
      environment: ["SWIFT_BACKTRACE": backtrace],
      timeout: .seconds(120)
    )
  }

  private func expectSuccess(_ way: String, backtrace: String = "enable=no") throws {
    let outcome = try run(way, backtrace: backtrace)
    #expect(outcome.succeeded, "\(way): \(outcome)")
  }

  @Test(
    "Each signal is counted once, whichever threads block it",
    arguments: [
      "fiveAtOnce", "twoSources", "allThreadsBlock", "threadThatTogglesItsMask",
      "signalOfOneThread", "fewQueuedSignals", "storm",
    ]
  )
  func countsEachSignalOnce(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test("A sequence of signals ends with its loop")
  func sequence() throws {
    try expectSuccess("sequence")
  }

  @Test("The thread of the sources blocks all signals but those of its own faults")
  func maskOfTheThread() throws {
    try expectSuccess("maskOfTheThread")
  }

  @Test("Pending signals and suspended sources cost no processor time")
  func processorTime() throws {
    try expectSuccess("processorTime")
  }

  @Test(
    "A handler that the program has set before runs for each signal",
    arguments: [
      "handlerOfTheProgram", "handlerWithInformation", "allThreadsBlockHandledSignal",
      "threadThatTogglesItsMaskWithHandler",
    ]
  )
  func handlersOfTheProgramRun(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "The default action is not carried out and an ignored signal is counted",
    arguments: ["defaultAction", "ignored", "ignoredForAWhile", "quit"]
  )
  func formerActionsHaveNoEffect(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test("Swift's backtracer does not end a process with a source of the quit signal")
  func quitDoesNotReachTheBacktracer() throws {
    try expectSuccess("quitWithBacktracer", backtrace: "enable=yes")
  }

  @Test(
    "The last source restores the disposition",
    arguments: ["lastSourceRestores", "handlerSetBackLater"]
  )
  func lastSourceRestores(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "A counting handler without sources carries out the default action",
    arguments: ["endsByDefaultAction", "endsByLateHandler"]
  )
  func defaultActionWithoutSources(_ way: String) throws {
    let outcome = try run(way)
    #expect(outcome.signal == 10, "\(outcome)")
  }

  @Test(
    "A further source counts above a disposition that the program has set, which stays in force",
    arguments: [
      "handlerSetLater", "handlerSetBetweenSources", "handlersSetAgainAndAgain", "ignoredLater",
    ]
  )
  func furtherSourcesCount(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "A handler that the program sets later stays, and no handlers call each other without end",
    arguments: [
      "handlerThatStays", "handlerSetLaterThatCallsOurs", "handlerThatCallsOursAfterTheLastSource",
    ]
  )
  func laterHandlersStay(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "Children leave zombies, and stopped ones raise signals, as without a source",
    arguments: [
      "childrenOfIgnoringProcess", "childrenWithoutZombies", "childrenOfOtherProcess",
      "stoppedChildren",
    ]
  )
  func childrenEndAsBefore(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "A child of a fork has the former disposition and counts nothing in its parent",
    arguments: [
      "childWithHandler", "childWithDefaultAction", "childThatIgnores", "childThatDropsTheSource",
    ]
  )
  func childrenOfForks(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test(
    "A source that cannot be registered reports the reason and changes nothing",
    arguments: ["noDescriptors", "signalOfTheLibrary"]
  )
  func registrationErrors(_ way: String) throws {
    try expectSuccess(way)
  }

  @Test("Signals that a program cannot handle, faults and those of the C library are refused")
  func refusedSignals() throws {
    let refused = (-1...66).filter { !SignalSource.canWatch($0) }
    #expect(refused == [-1, 0, 4, 5, 6, 7, 8, 9, 11, 19, 31, 32, 33, 65, 66])
    for signal in ["0", "9", "11", "33", "65"] {
      let outcome = try run("create", signal)
      // SIGILL or SIGTRAP.
      #expect([4, 5].contains(outcome.signal), "\(outcome)")
      #expect(outcome.errorText.hasSuffix("(S190)\n"), "\(outcome)")
      #expect(outcome.outputText == "false\n")
    }
    #expect(try run("create", "10").succeeded)
  }
}
