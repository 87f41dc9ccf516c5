internal import CIOChannelsTestSupport
internal import Synchronization

/// A program that a test starts.
///
/// Output goes to files in memory, so a child never stalls because nobody reads. The child gets
/// default signal handling, a process group of its own and only the three standard descriptors.
///
/// When the last reference is dropped, a child that was not waited for is killed with its group and
/// waited for. A zombie that stays would keep all exit tests of the process from ending. The
/// testing library waits for any child, and finds the same zombie each time.
public final class ChildProcess: Sendable {
  /// The process id, which is also the id of its group.
  public let identifier: Int32
  private let command: [String]
  private let output: Int32
  private let errors: Int32
  private let isWaitedFor = Atomic(false)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program, looked for in `PATH` when it has no slash, and its arguments.
  ///   - environment: Variables that the child gets on top of this program's; `nil` removes one.
  ///   - directory: Where the child starts; this program's directory by default.
  ///   - input: What the child finds on its standard input.
  /// - Throws: ``TestFailure`` when it cannot be started.
  public init(
    _ command: [String],
    environment: [String: String?] = [:],
    directory: String? = nil,
    input: [UInt8] = []
  ) throws {
    self.command = command
    let inputFile = ct_memory_file()
    output = ct_memory_file()
    errors = ct_memory_file()
    defer { _ = ct_close(inputFile) }
    guard inputFile >= 0, output >= 0, errors >= 0, Calls.fill(inputFile, with: input) else {
      throw TestFailure("\(command): no files for its standard streams")
    }
    identifier = Calls.spawn(
      arguments: command,
      environment: environment.map { name, value in value.map { "\(name)=\($0)" } ?? name },
      directory: directory,
      streams: (inputFile, output, errors)
    )
    if identifier < 0 {
      throw TestFailure("\(command): not started, error \(-identifier)")
    }
  }

  deinit {
    if identifier > 0 && !isWaitedFor.load(ordering: .relaxed) { ct_kill_and_wait(identifier) }
    _ = ct_close(output)
    _ = ct_close(errors)
  }

  /// Sends a signal to the child.
  public func send(signal: Int32) {
    _ = ct_signal(identifier, signal)
  }

  /// A Boolean value that indicates whether the child has ended.
  public var hasEnded: Bool { ct_has_ended(identifier) != 0 }

  /// What the child wrote to its standard output so far.
  public var outputSoFar: [UInt8] { Calls.content(of: output) }

  /// What the child wrote to its standard error so far.
  public var errorsSoFar: [UInt8] { Calls.content(of: errors) }

  /// Waits for the end of the child. To be called once.
  ///
  /// - Throws: ``TestFailure`` when the time is up; the child and its group are killed then.
  public func wait(timeout: Duration = .seconds(60)) throws -> Outcome {
    isWaitedFor.store(true, ordering: .relaxed)
    let limit = timeout * Tier.patience
    let milliseconds = Int32(min(limit / .milliseconds(1), 86_400_000))
    let end = ct_wait(identifier, milliseconds)
    let outcome = Outcome(
      status: end.exit_status,
      signal: end.signal,
      output: outputSoFar,
      errors: errorsSoFar,
      peakResidentKiB: Int(end.peak_resident_kib),
      processorTime: .microseconds(end.user_microseconds + end.system_microseconds)
    )
    if end.error != 0 {
      throw TestFailure("\(command): not ended within \(limit); \(outcome)")
    }
    return outcome
  }
}

extension ChildProcess {
  /// Runs `yes | head -n 1` in a child that inherits the calling thread's blocked signals, with the
  /// default action for `SIGPIPE`.
  ///
  /// - Returns: The exit status of `yes`, 141 when the signal ended it.
  public static func statusOfPipedChild() -> Int { Int(ct_status_of_piped_child()) }
}

/// How a child ended and what it wrote.
public struct Outcome: Sendable, CustomStringConvertible {
  /// The exit status, 0 when a signal ended the child.
  public let status: Int32
  /// The signal that ended the child, or 0.
  public let signal: Int32
  /// What it wrote to standard output.
  public let output: [UInt8]
  /// What it wrote to standard error.
  public let errors: [UInt8]
  /// The most memory it had resident.
  public let peakResidentKiB: Int
  /// Processor time of user and system together.
  public let processorTime: Duration

  /// Whether the child ended by itself with status 0.
  public var succeeded: Bool { status == 0 && signal == 0 }
  /// Standard output as text.
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  public var errorText: String { String(decoding: errors, as: UTF8.self) }
  /// The lines of standard error.
  public var errorLines: [String] { errorText.split(separator: "\n").map(String.init) }

  /// Everything a reader of a failed test needs, cut to 4,000 characters a stream.
  public var description: String {
    "status \(status), signal \(signal), output: \(outputText.prefix(4000)), "
      + "errors: \(errorText.prefix(4000))"
  }
}

/// Runs a program to its end.
///
/// - Throws: ``TestFailure`` when it cannot be started or the time is up.
public func run(
  _ command: [String],
  environment: [String: String?] = [:],
  directory: String? = nil,
  input: [UInt8] = [],
  timeout: Duration = .seconds(60)
) throws -> Outcome {
  let child = try ChildProcess(
    command,
    environment: environment,
    directory: directory,
    input: input
  )
  return try child.wait(timeout: timeout)
}

/// Runs a program that must succeed and returns its standard output as text.
///
/// - Throws: ``TestFailure`` with everything it wrote when it does not.
@discardableResult
public func runSuccessfully(
  _ command: [String],
  environment: [String: String?] = [:],
  directory: String? = nil,
  input: [UInt8] = [],
  timeout: Duration = .seconds(60)
) throws -> String {
  let outcome = try run(
    command,
    environment: environment,
    directory: directory,
    input: input,
    timeout: timeout
  )
  guard outcome.succeeded else { throw TestFailure("\(command): \(outcome)") }
  return outcome.outputText
}
