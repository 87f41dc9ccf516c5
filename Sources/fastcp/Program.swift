import CIOChannelsSystem
import FileCopy
import Glibc

/// The entry point of the command.
enum Program {
  /// The version that `--version` prints.
  static let version = "0.2.0"

  /// Runs the command and ends the process.
  static func run() -> Never {
    StandardDescriptors.fill()
    FileCopier.prepareOnlyThread()
    let surroundings = ProcessSurroundings()
    csys_ignore_write_signals()
    let arguments = ArgumentParser(stopsAtOperand: surroundings.isPosixlyCorrect)
      .parse(surroundings.arguments)
    do throws(UsageError) {
      run(try command(arguments, surroundings), surroundings)
    } catch {
      let console = Console(surroundings)
      console.printDiagnostic(error.text(quoting: surroundings.quoting))
      if error.pointsToHelp { console.pointToHelp() }
      end(ExitCodes(arguments).statusOfUsageError, console)
    }
  }

  private static func run(_ command: Command, _ surroundings: ProcessSurroundings) -> Never {
    switch command {
    case .copy(let request):
      let console = Console(
        surroundings,
        isJSON: request.output.isJSON,
        avoidsOffload: request.options.avoidsOffload
      )
      end(CopyProgram(request, console, surroundings).run(), console)
    case .check(let request):
      let console = Console(surroundings, isJSON: request.isJSON)
      end(CheckProgram(request: request, console: console).run(), console)
    case .help:
      let console = Console(surroundings)
      console.print(HelpText.text(program: surroundings.programName))
      end(0, console)
    case .version:
      let console = Console(surroundings)
      console.print("fastcp (IOChannels) \(version)\n")
      end(0, console)
    }
  }

  private static func command(
    _ arguments: ParsedArguments,
    _ surroundings: ProcessSurroundings
  ) throws(UsageError) -> Command {
    let command = try Command(
      arguments,
      backups: surroundings.backups,
      hasSecurityContexts: surroundings.hasSecurityContexts,
      variable: ProcessSurroundings.variable
    )
    guard case .copy(var request) = command else { return command }
    try checkEnvironment()
    request.options.existing.createsLinkTargets = surroundings.isPosixlyCorrect
    return .copy(request)
  }

  /// Refuses invalid settings of channels before the copy, which would stop at its first channel.
  private static func checkEnvironment() throws(UsageError) {
    if let (variable, value) = LimitSettings.invalid {
      throw .badLimit(variable: variable, BytePath(value))
    }
    guard let value = BackendSetting.invalidValue else { return }
    throw .badWord(
      BytePath(value),
      context: "$\(BackendSetting.variable)",
      isAmbiguous: false,
      BackendSetting.values.map { [$0] }
    )
  }

  private static func end(_ status: Int32, _ console: Console) -> Never {
    let isWritten = console.finish()
    if console.hasLostReader { SignalWatch.endAtBrokenPipe() }
    exit(isWritten ? status : 1)
  }
}
