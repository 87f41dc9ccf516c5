import IOChannelsTestSupport
import Testing

/// The snippets that are programs with arguments and input, run as a user runs them.
@Suite("Example programs", .timeLimit(.minutes(5)))
struct ExampleProgramTests {
  private func program(_ name: String) -> String { BuiltProgram.directory + "/" + name }

  /// Waits until a program has written some text, and nothing else, to standard output.
  ///
  /// - Throws: ``TestFailure`` if it does not within a minute, or the program has ended.
  private func waitForOutput(_ text: String, of program: ChildProcess) throws {
    let end = ContinuousClock.now + .seconds(60)
    while program.outputSoFar != Array(text.utf8) {
      let output = String(decoding: program.outputSoFar, as: UTF8.self)
      if program.hasEnded { throw TestFailure("ended after \(output): \(try program.wait())") }
      if ContinuousClock.now > end { throw TestFailure("\(text) expected, found \(output)") }
      _ = try run(["sleep", "0.01"])
    }
  }

  // MARK: - Log reader

  @Test("The log reader prints the lines with a word, of a file and of standard input")
  func logReader() throws {
    let directory = try TemporaryDirectory()
    let lines = (0..<100_000).map { $0 % 1000 == 0 ? "line \($0): error" : "line \($0)" }
    let text = Array((lines.joined(separator: "\r\n") + "\nlast error").utf8)
    let found = lines.filter { $0.hasSuffix("error") } + ["last error"]
    let expected = found.joined(separator: "\n") + "\n"
    let path = try directory.write(text, to: "log")
    #expect(try runSuccessfully([program("LogReader"), "error", path]) == expected)
    #expect(try runSuccessfully([program("LogReader"), "error"], input: text) == expected)
    #expect(try runSuccessfully([program("LogReader"), "no such word", path]) == "")
  }

  @Test("The log reader ends without an error if the reader of its output has ended")
  func logReaderWithoutReader() throws {
    let directory = try TemporaryDirectory()
    let line = String(repeating: "x", count: 99) + "\n"
    let path = try directory.write(
      Array(String(repeating: line, count: 100_000).utf8),
      to: "log"
    )
    let command = "\"$0\" x \"$1\" | head -n 1 > /dev/null; echo \"${PIPESTATUS[0]}\""
    #expect(try runSuccessfully(["bash", "-c", command, program("LogReader"), path]) == "0\n")
  }

  @Test("A tool that fails prints one line, and exits with status 1")
  func failures() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let folder = "Is a directory (A directory has no bytes of its own.)"
    let commands = [
      (["LogReader", "error", "/no/such/log"], "log", "/no/such/log: No such file or directory"),
      (["LogReader", "error", path], "log", "\(path): \(folder)"),
      (["LogTail", path], "tail", "\(path): \(folder)"),
    ]
    for (command, name, message) in commands {
      let outcome = try run([program(command[0])] + command.dropFirst())
      #expect(outcome.status == 1 && outcome.output == [])
      #expect(outcome.errorLines == ["\(name): open of \(message)"])
    }
  }

  // MARK: - Log tail

  @Test("The log tail follows a log through rotation, truncation and replacement")
  func logTail() throws {
    let directory = try TemporaryDirectory()
    let log = directory("log")
    func shell(_ command: String) throws { try runSuccessfully(["sh", "-c", command, log]) }
    let tail = try ChildProcess([program("LogTail"), log])
    try shell("printf 'one\\n' > \"$0\"")
    try waitForOutput("one\n", of: tail)
    try shell("printf 'half a ' >> \"$0\"")
    try waitForOutput("one\nhalf a ", of: tail)
    // The program that writes renames the log, still writes to it, and then creates a new one.
    try shell("mv \"$0\" \"$0.1\"; printf 'line\\n' >> \"$0.1\"; printf 'second\\n' > \"$0\"")
    try waitForOutput("one\nhalf a line\nsecond\n", of: tail)
    try shell("printf 'third\\n' >> \"$0\"")
    try waitForOutput("one\nhalf a line\nsecond\nthird\n", of: tail)
    try shell(": > \"$0\"; printf '4\\n' >> \"$0\"")
    try waitForOutput("one\nhalf a line\nsecond\nthird\n4\n", of: tail)
    try shell("printf 'fifth\\n' > \"$0.new\"; mv \"$0.new\" \"$0\"")
    try waitForOutput("one\nhalf a line\nsecond\nthird\n4\nfifth\n", of: tail)
    // The file keeps its name, so that it is not printed again.
    try shell("ln \"$0\" \"$0.link\"; rm \"$0.link\"; printf 'sixth\\n' >> \"$0\"")
    try waitForOutput("one\nhalf a line\nsecond\nthird\n4\nfifth\nsixth\n", of: tail)
    tail.send(signal: 15)
    let outcome = try tail.wait()
    #expect(outcome.signal == 15 && outcome.errorLines == [])
  }

  // MARK: - Checksums

  /// Returns the Adler-32 checksum of bytes, in hexadecimal.
  private func checksum(_ bytes: [UInt8]) -> String {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return String(high << 16 | low, radix: 16)
  }

  @Test("The checksum tool reads 10,000 files with few descriptors, and files of any length")
  func checksums() throws {
    let directory = try TemporaryDirectory()
    let count = 10_000
    try runSuccessfully([
      "bash", "-c", "cd \"$0\"; for ((i = 0; i < \(count); i++)); do echo \"file $i\" > $i; done",
      directory.path,
    ])
    let long = pattern(3 << 20)
    try directory.write(long, to: "long")
    try directory.write([], to: "empty")
    let names = (0..<count).map(String.init) + ["long", "empty", "missing"]
    let outcome = try run(
      ["bash", "-c", "ulimit -n 128; exec \"$0\"", program("ChecksumTool")],
      directory: directory.path,
      input: Array(names.joined(separator: "\n").utf8)
    )
    #expect(checksum(Array("Wikipedia".utf8)) == "11e60398")
    var expected = Set((0..<count).map { "\(checksum(Array("file \($0)\n".utf8))) \($0)" })
    expected.formUnion(["\(checksum(long)) long", "1 empty"])
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    #expect(outcome.status == 1 && lines.count == expected.count && Set(lines) == expected)
    #expect(outcome.errorLines == ["checksum: open of missing: No such file or directory"])
  }

  // MARK: - Relay

  @Test("The relay passes input to a command, and its output and status back")
  func relay() throws {
    let bytes = pattern(5 << 20)
    let echoed = try run([program("ProcessRelay"), "cat"], input: bytes)
    #expect(echoed.succeeded && echoed.output == bytes && echoed.errorLines == [])
    let failed = try run([program("ProcessRelay"), "sh", "-c", "echo text; exit 3"])
    #expect(failed.outputText == "text\n" && failed.errorLines == ["exit status: 3"])
    // The command reads nothing, and ends while more input waits.
    let ignored = try run([program("ProcessRelay"), "true"], input: bytes)
    #expect(ignored.succeeded && ignored.output == [] && ignored.errorLines == [])
  }

  @Test("The relay ends with its command, also if its own input never ends")
  func relayWithEndlessInput() throws {
    let directory = try TemporaryDirectory()
    let fifo = directory("input")
    try runSuccessfully(["mkfifo", fifo])
    // The relay has both ends, so that a read of the FIFO waits for ever.
    let command = "exec \"$0\" echo done <> \"$1\""
    let output = try runSuccessfully(["bash", "-c", command, program("ProcessRelay"), fifo])
    #expect(output == "done\n")
  }

  @Test("The relay's command can receive the signals that end a program")
  func relaySignals() throws {
    let command = ["sh", "-c", "kill -TERM $$; echo survived"]
    let outcome = try run([program("ProcessRelay")] + command)
    #expect(outcome.output == [] && outcome.errorLines == ["exit status: 15"])
  }
}
