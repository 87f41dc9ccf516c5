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
    let surroundings = ProcessSurroundings()
    csys_ignore_write_signals()
    let arguments = ArgumentParser(stopsAtOperand: surroundings.isPosixlyCorrect)
      .parse(surroundings.arguments)
    switch command(arguments, surroundings) {
    case .success(.copy(let request)):
      let console = Console(
        surroundings,
        isJSON: request.output.isJSON,
        avoidsOffload: request.options.avoidsOffload
      )
      end(CopyProgram(request, console, surroundings).run(), console)
    case .success(.check(let request)):
      let console = Console(surroundings, isJSON: request.isJSON)
      end(CheckProgram(request: request, console: console).run(), console)
    case .success(.help):
      let console = Console(surroundings)
      console.print(HelpText.text(program: surroundings.programName))
      end(0, console)
    case .success(.version):
      let console = Console(surroundings)
      console.print("fastcp (IOChannels) \(version)\n")
      end(0, console)
    case .failure(let error):
      let console = Console(surroundings)
      console.printDiagnostic(error.text(quoting: surroundings.quoting))
      if error.pointsToHelp { console.pointToHelp() }
      end(ExitCodes(arguments).statusOfUsageError, console)
    }
  }

  private static func command(
    _ arguments: ParsedArguments,
    _ surroundings: ProcessSurroundings
  ) -> Result<Command, UsageError> {
    do throws(UsageError) {
      var command = try Command(
        arguments,
        backups: surroundings.backups,
        hasSecurityContexts: surroundings.hasSecurityContexts,
        variable: ProcessSurroundings.variable
      )
      if case .copy(var request) = command {
        try checkEnvironment()
        request.options.existing.createsLinkTargets = surroundings.isPosixlyCorrect
        command = .copy(request)
      }
      return .success(command)
    } catch {
      return .failure(error)
    }
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
