import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// `channeltool scripts`: runs random scripts on channels and prints one line for each.
enum Scripts {
  static let usage = """
    channeltool scripts ours FIRST COUNT DIRECTORY      run on channels of this package
    channeltool scripts dispatch FIRST COUNT DIRECTORY  run on channels of Dispatch
    channeltool scripts show FIRST COUNT                print the scripts
    """

  /// Prints the same lines in two runs with the same numbers.
  static func run(_ arguments: [String]) throws {
    guard arguments.count > 2, let first = UInt64(arguments[1]), let count = UInt64(arguments[2])
    else { throw UsageError() }
    let numbers = first..<first + count
    switch arguments[0] {
    case "show" where arguments.count == 3: for number in numbers { print(Script(number: number)) }
    case "ours" where arguments.count == 4:
      try run(numbers, on: OurChannel.self, in: arguments[3])
    case "dispatch" where arguments.count == 4:
      // Dispatch writes to pipes without a reader.
      signal(SIGPIPE, SIG_IGN)
      try run(numbers, on: TheirChannel.self, in: arguments[3])
    default: throw UsageError()
    }
  }

  private static func run<Channel: ScriptedChannel>(
    _ numbers: Range<UInt64>,
    on: Channel.Type,
    in directory: String
  ) throws {
    for number in numbers {
      print("\(number):", try Run<Channel>(Script(number: number), in: directory).line())
    }
  }
}
