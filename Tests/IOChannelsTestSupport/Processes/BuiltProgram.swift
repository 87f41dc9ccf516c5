/// A program of this package, beside the running test bundle in the build directory.
public enum BuiltProgram: String, Sendable {
  /// The copier.
  case fastcp
  /// Uses channels, as one of its commands describes.
  case channeltool
  /// Awaits everything that has a blocking form too.
  case awaiting
  /// Reads lines from standard input, and then bytes.
  case headerbody
  /// Misuses the library in every way that stops a program.
  case misuse
  /// Observes processes in ways that need a process of their own.
  case observe
  /// Runs a command with denied system calls, lower limits or another user.
  case sandboxrun
  /// Uses the main queue in one of several ways.
  case mainqueue
  /// Uses the main queue in an `async` main function, in one of several ways.
  case mainasync
  /// Uses the main queue beside Foundation and Dispatch, in one of several ways.
  case mainrunloop
  /// Awaits work of the main queue in tests of XCTest.
  case mainxctest
  /// Makes engines of its own and forks, or shuts them down.
  case engines
  /// Runs a row of the tests of the C interface.
  case gcdtool
  /// A file system in which things go wrong.
  case faultfs
  /// Swaps names.
  case flip
  /// Copies the way that is written down first.
  case naivecopy
  /// Receives signals by event sources in one of several ways.
  case signalsources
  /// Runs random command lines of the copier and of cp, and compares the results.
  case randomcopies
  /// Sends a command a signal at one of its system calls.
  case signalat
  /// Prints the changes of memory pressure.
  case pressure
  /// Lists a tree for comparison.
  case treelist
  /// Makes a tree from a seed.
  case treemake

  /// The path of the program.
  public var path: String { "\(BuiltProgram.directory)/\(rawValue)" }

  /// The build directory.
  public static var directory: String {
    let bundle = Calls.programPath
    return bundle.lastIndex(of: "/").map { String(bundle[..<$0]) } ?? "."
  }
}
