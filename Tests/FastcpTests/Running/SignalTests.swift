import IOChannelsTestSupport
import Testing

@testable import fastcp

/// Signals end a copy in good order, or ask how far it is.
@Suite("Signals", .ends(withinMinutes: 10))
struct SignalTests {
  private static let interrupt: Int32 = 2

  /// Looks again and again until something holds; the time limit of the suite bounds it.
  private func until(_ holds: () throws -> Bool) throws {
    while try !holds() { _ = try run(["sleep", "0.01"]) }
  }

  /// A place with a FIFO and a program that holds it open for writing after some bytes.
  private func copyingFIFO(
    _ options: [String] = []
  ) throws -> (place: TemporaryDirectory, writer: ChildProcess, copy: ChildProcess) {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-c", "mkfifo p; echo x >f; mkdir to"], directory: place.path)
    let writer = try ChildProcess(
      ["bash", "-c", "exec 3>p; printf 12345 >&3; exec sleep 100"],
      directory: place.path
    )
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "--jobs=1"] + options + ["p", "f", "to"],
      directory: place.path
    )
    try until {
      try run(["test", "-s", place("to/p")]).succeeded
    }
    return (place, writer, copy)
  }

  @Test(
    "The first signal removes files in flight, reports the rest and ends the process (F14)",
    arguments: [1, 2, 15] as [Int32]
  )
  func first(signal: Int32) throws {
    let (place, writer, copy) = try copyingFIFO()
    defer { writer.send(signal: 9) }
    copy.send(signal: signal)
    let outcome = try copy.wait()
    #expect(outcome.signal == signal)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errorText.contains("stopped"), "\(outcome)")
    #expect(try runSuccessfully(["ls", "-A", place("to")]) == "")
  }

  @Test("With objects the last one reports that the copy was stopped")
  func object() throws {
    let (_, writer, copy) = try copyingFIFO(["--json"])
    defer { writer.send(signal: 9) }
    copy.send(signal: 15)
    let outcome = try copy.wait()
    #expect(outcome.signal == 15)
    let last = outcome.outputText.split(separator: "\n").last ?? ""
    #expect(last.contains(#""stopped":true"#))
    #expect(last.contains(#""type":"summary""#))
  }

  @Test(
    "A verification that is stopped is no success (F14)",
    .needs(.fuse),
    arguments: [
      ["f", "to/g"], ["f", "x", "to"], ["--atomic", "f", "to/old"], ["--json", "f", "to/g"],
      ["--json", "--atomic", "x", "f", "to"], ["f", "to/old"],
    ]
  )
  func verification(arguments: [String]) throws {
    let slow = try FaultFileSystem()
    let place = try TemporaryDirectory()
    try runSuccessfully(
      [
        "bash", "-ec", "head -c 64M /dev/zero >f; : >x; ln -s \"$0\" to; echo 1 >to/old", slow.path,
      ],
      directory: place.path
    )
    try slow.setRules("read * 1+ delay 20")
    let copy = try ChildProcess(
      [BuiltProgram.fastcp.path, "--verify", "--jobs=1"] + arguments,
      directory: place.path
    )
    try slow.waitForUse()
    copy.send(signal: 15)
    let outcome = try copy.wait()
    #expect(outcome.signal == 15, "\(outcome)")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errorText.contains(", stopped"), "\(outcome)")
    if arguments.contains("--json") {
      let last = outcome.outputText.split(separator: "\n").last ?? ""
      #expect(last.contains(#""stopped":true"#) && last.contains(#""status":1"#), "\(outcome)")
    }
    // The first of several operands was complete.
    let complete = arguments.contains("--atomic") && arguments.contains("x") ? "old\nx\n" : "old\n"
    #expect(try runSuccessfully(["ls", "-A", slow.behind]) == complete)
    if arguments.contains("--atomic") && arguments.last == "to/old" {
      #expect(try runSuccessfully(["cat", slow.behind + "/old"]) == "1\n")
    }
  }

  @Test("A copy that waits for the other end of a FIFO ends within a second all the same")
  func stuck() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("p")])
    let copy = try ChildProcess([BuiltProgram.fastcp.path, "--json", place("p"), place("f")])
    try until { try isBlocked(copy.identifier, in: "openat") }
    copy.send(signal: SignalTests.interrupt)
    let outcome = try copy.wait(timeout: .seconds(30))
    #expect(outcome.signal == SignalTests.interrupt)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errorText.contains(", stopped"), "\(outcome)")
    #expect(outcome.outputText.contains(#""stopped":true"#), "\(outcome)")
    #expect(try !run(["test", "-e", place("f")]).succeeded)
  }

  @Test("The second signal ends the process at once, and is the one that it dies of")
  func second() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["mkfifo", place("p")])
    let copy = try ChildProcess([BuiltProgram.fastcp.path, place("p"), place("f")])
    try until { try isBlocked(copy.identifier, in: "openat") }
    copy.send(signal: SignalTests.interrupt)
    copy.send(signal: 15)
    #expect(try copy.wait().signal == 15)
  }

  @Test("A signal that the process was started to ignore is ignored")
  func ignored() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-c", "mkfifo p"], directory: place.path)
    let copy = try ChildProcess(
      ["bash", "-c", "trap '' HUP; exec \"$0\" p f", BuiltProgram.fastcp.path],
      directory: place.path
    )
    try until { try isBlocked(copy.identifier, in: "openat") }
    copy.send(signal: 1)
    try runSuccessfully(["bash", "-c", "echo 1 >p"], directory: place.path)
    let outcome = try copy.wait()
    #expect(outcome.succeeded, "\(outcome)")
  }

  @Test("SIGUSR1 prints one line and changes nothing")
  func question() throws {
    let (place, writer, copy) = try copyingFIFO()
    copy.send(signal: 10)
    try until { !copy.errorsSoFar.isEmpty }
    writer.send(signal: 9)
    let outcome = try copy.wait()
    #expect(outcome.succeeded, "\(outcome)")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errorText.hasPrefix("0 files  5 B"), "\(outcome)")
    #expect(try runSuccessfully(["cat", place("to/p"), place("to/f")]) == "12345x\n")
  }

  @Test("A signal interrupts a question")
  func asked() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-c", "echo 1 >f; echo 2 >g; mkfifo p"], directory: place.path)
    // Both ends of the FIFO are open, so the answer never comes and is not missing.
    let copy = try ChildProcess(
      ["bash", "-c", "exec \"$0\" -i f g <>p", BuiltProgram.fastcp.path],
      directory: place.path
    )
    try until { String(decoding: copy.errorsSoFar, as: UTF8.self).contains("overwrite") }
    copy.send(signal: SignalTests.interrupt)
    #expect(try copy.wait().signal == SignalTests.interrupt)
    #expect(try runSuccessfully(["cat", place("g")]) == "2\n")
  }

  @Test("The size limit is an error and no death (F5)", arguments: Way.allCases)
  func deadlySignals(way: Way) throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(
      ["bash", "-c", "head -c 3M /dev/urandom >f; echo 1 >g; mkdir to"],
      directory: place.path
    )
    let other = try TemporaryDirectory(in: "/dev/shm")
    for target in [place("to"), other.path] {
      let outcome = try way.copy(
        [place("f"), place("g"), target],
        sandbox: ["fsize=100000"]
      )
      #expect(outcome.status == 1 && outcome.signal == 0, "\(outcome)")
      #expect(outcome.errorLines.contains { $0.hasSuffix("File too large") }, "\(outcome)")
      #expect(try runSuccessfully(["ls", "-A", target]) == "g\n")
    }
  }

  /// Runs a command with a pipe without a reader as descriptor 4, and prints its status.
  private func runWithoutReader(_ command: String, in place: TemporaryDirectory) throws -> Outcome {
    try run(
      ["bash", "-c", "mkfifo p; exec 3<>p 4>p 3<&-; rm p; \(command); echo $?"],
      environment: ["FASTCP": BuiltProgram.fastcp.path, "LC_ALL": "C"],
      directory: place.path
    )
  }

  @Test(
    "If the reader of the output is gone, SIGPIPE ends the process as it ends cp",
    arguments: [
      "-v f g >&4", "--help >&4", "--version >&4", "--unknown 2>&4", "missing g 2>&4",
      "-v missing f d >&4 2>&4",
    ]
  )
  func closedPipe(arguments: String) throws {
    for program in ["cp", "\"$FASTCP\""] {
      let place = try TemporaryDirectory()
      try runSuccessfully(["bash", "-c", "echo 1 >f; mkdir d"], directory: place.path)
      let outcome = try runWithoutReader("\(program) \(arguments)", in: place)
      #expect(outcome.outputText == "141\n", "\(program): \(outcome)")
    }
  }

  @Test("A copy whose reader is gone stops, and SIGPIPE that is ignored leaves an error")
  func closedPipeOfTree() throws {
    let place = try TemporaryDirectory()
    let prepare = "mkdir s; n=$(printf 'n%.0s' {1..200}); for i in {1..3000}; do : >s/$n$i; done"
    try runSuccessfully(["bash", "-c", prepare], directory: place.path)
    for (number, options) in ["-rv", "-r --json"].enumerated() {
      let stopped = try runWithoutReader("\"$FASTCP\" \(options) s to\(number) >&4", in: place)
      #expect(stopped.outputText == "141\n" && stopped.errors.isEmpty, "\(stopped)")
      let copied = try runSuccessfully(["ls", place("to\(number)")]).split(separator: "\n")
      #expect(copied.count < 3000)
    }
    let ignored = try runWithoutReader("trap '' PIPE; \"$FASTCP\" -rv s all >&4", in: place)
    #expect(ignored.outputText == "1\n", "\(ignored)")
    #expect(ignored.errorText == "fastcp: write error: Broken pipe\n")
    #expect(try runSuccessfully(["ls", place("all")]).split(separator: "\n").count == 3000)
  }

  @Test("One signal stops, the next one ends, and a question is neither")
  func state() {
    var state = InterruptState()
    let step9 = state.note(10, isQuery: true)
    #expect(step9 == .printProgress)
    #expect(state.ending == nil)
    let step10 = state.note(2, isQuery: false)
    #expect(step10 == .stop)
    let step11 = state.note(10, isQuery: true)
    #expect(step11 == .printProgress)
    let step12 = state.note(15, isQuery: false)
    #expect(step12 == .end)
    #expect(state.ending == 2)
  }

  /// Whether the first thread of a process waits in a system call.
  private func isBlocked(_ process: Int32, in call: String) throws -> Bool {
    // 257 is openat on x86-64 and 56 on arm64.
    let number = try run(["bash", "-c", "read n _ </proc/\(process)/syscall && echo $n"])
    return ["257\n", "56\n"].contains(number.outputText)
  }
}
