import IOChannelsSystem
import IOChannelsTestSupport

/// Copies by the copier of the run, which is called `cp` whichever it is.
///
/// A copy that hangs or is killed by a signal is a problem.
extension TrapRun {
  /// The result of a copy.
  struct Copy: Equatable, Sendable {
    /// The exit status, or 128 and the number of the signal.
    var status: Int32
    /// The sorted lines of both output streams.
    var messages: [String]

    /// A copy without a message.
    static let success = Copy(status: 0, messages: [])

    /// A failed copy with one message.
    static func failure(_ message: String) -> Copy { Copy(status: 1, messages: [message]) }
  }

  /// A copy that has not ended yet.
  struct RunningCopy {
    let child: ChildProcess
    let patience: Duration

    /// Ends the copier at once.
    func kill() { child.send(signal: 9) }

    /// Waits for the end of the copy, which is killed if it hangs.
    func finish() -> Copy {
      guard let outcome = try? child.wait(timeout: patience) else {
        return Copy(status: 137, messages: [])
      }
      let lines = [outcome.errorText, outcome.outputText].flatMap { $0.split(separator: "\n") }
      return Copy(
        status: outcome.signal == 0 ? outcome.status : 128 + outcome.signal,
        messages: lines.map(String.init).sorted()
      )
    }
  }

  /// Runs a copy to its end.
  ///
  /// With `oneAtATime`, `fastcp` copies one file after the other, as `cp` always does.
  @discardableResult
  func copy(
    _ arguments: String...,
    oneAtATime: Bool = false,
    under wrapper: Wrapper = .none,
    input: String = ""
  ) throws -> Copy {
    try finish(start(arguments, oneAtATime: oneAtATime, under: wrapper, input: input))
  }

  /// Copies the FIFO `source`, and calls a closure between its first and its last byte.
  ///
  /// The first byte is an `x`. The closure runs as soon as `copy` has it.
  @discardableResult
  func copy(
    _ arguments: String...,
    oneAtATime: Bool = false,
    feeding source: String,
    into copy: String,
    meanwhile look: () throws -> Void
  ) throws -> Copy {
    let writer = try openFile("\(path)/\(source)", .readWrite)
    _ = try writer.borrowed.write(Array("x".utf8), 0..<1)
    let running = try start(arguments, oneAtATime: oneAtATime)
    _ = try eventually { text(of: copy)?.first == "x" || running.child.hasEnded }
    try look()
    try writer.close()
    return finish(running)
  }

  /// Copies from `faulty`, and calls a closure while one request gets no reply.
  ///
  /// `request` is the beginning of a rule for faults: operation, name and count.
  @discardableResult
  func copy(
    _ arguments: String...,
    holding request: String,
    meanwhile change: () throws -> Void
  ) throws -> Copy {
    let running = try startHolding(request, arguments)
    let result = Result { try change() }
    // A process that waits for a reply cannot be killed.
    try faults.setRules()
    let copy = finish(running)
    try result.get()
    return copy
  }

  /// Starts a copy from `faulty`, and waits until one request gets no reply.
  func startHolding(_ request: String, _ arguments: [String]) throws -> RunningCopy {
    let fileSystem = try faults
    try fileSystem.setRules("\(request) hang 1")
    let running = try start(arguments)
    _ = try eventually { !fileSystem.uses().isEmpty || running.child.hasEnded }
    return running
  }

  private func start(
    _ arguments: [String],
    oneAtATime: Bool = false,
    under wrapper: Wrapper = .none,
    input: String = ""
  ) throws -> RunningCopy {
    var options: [String] = []
    if oneAtATime, case .fastcp = copier { options = ["--jobs=1"] }
    let child = try ChildProcess(
      userCommand(wrapper.words + ["cp"] + options + arguments),
      environment: environment,
      directory: "\(path)/\(workingDirectory)",
      input: Array(input.utf8)
    )
    return RunningCopy(child: child, patience: patience)
  }

  private func finish(_ running: RunningCopy) -> Copy {
    let copy = running.finish()
    outcome.copies += copy.messages + ["status \(copy.status)"]
    if copy.status >= 124 {
      outcome.problems.append("a copy ended with \(copy.status): \(copy.messages)")
    }
    return copy
  }

  /// Runs a script of bash as the user, and returns its output.
  @discardableResult
  func shell(_ script: String) throws -> String {
    try runSuccessfully(
      userCommand(["bash", "-ec", script]),
      environment: ["LC_ALL": "C"],
      directory: path
    )
  }

  /// Starts a process that writes to a FIFO. It waits until the FIFO has a reader.
  func startWriter(_ text: String, to fifo: String) throws -> ChildProcess {
    try ChildProcess(
      ["sh", "-c", "exec cat >\"$0\"", fifo],
      directory: path,
      input: Array(text.utf8)
    )
  }

  /// Returns a command that runs another one as the user and with the umask.
  private func userCommand(_ words: [String]) -> [String] {
    ["sh", "-c", "umask \(umask) && exec \"$@\"", "sh"] + user.command + words
  }

  /// Checks a condition until it holds or patience ends, and returns whether it holds.
  func eventually(_ condition: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + patience
    while try !condition() {
      if ContinuousClock.now > end { return false }
      try runSuccessfully(["sleep", "0.005"])
    }
    return true
  }
}
