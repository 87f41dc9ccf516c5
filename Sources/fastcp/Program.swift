import CSystem
import FileCopy
import Glibc

/// The command: arguments in, an exit status out.
enum Program {
  /// What `--version` shows.
  static let version = "0.1.0"

  /// Runs the command and ends the process.
  static func run() -> Never {
    StandardDescriptors.fill()
    csys_ignore_write_signals()
    let surroundings = ProcessSurroundings()
    let console = Console(surroundings)
    let status = run(surroundings, console)
    let isWritten = console.finish()
    exit(isWritten ? status : 1)
  }

  private static func run(_ surroundings: ProcessSurroundings, _ console: Console) -> Int32 {
    do throws(UsageError) {
      let arguments = ArgumentParser(stopsAtOperand: surroundings.isPosixlyCorrect)
        .parse(surroundings.arguments)
      let command = try Command(
        arguments,
        backups: surroundings.backups,
        hasSecurityContexts: surroundings.hasSecurityContexts
      )
      switch command {
      case .help:
        console.print(HelpText.text(program: surroundings.programName))
        return 0
      case .version:
        console.print("fastcp (IOChannels) \(version)\n")
        return 0
      case .copy(let request): return copy(request, console)
      }
    } catch {
      console.complain(error.text(quoting: surroundings.quoting))
      if error.pointsToHelp {
        console.pointToHelp()
      }
      return 1
    }
  }

  private static func copy(_ request: CopyRequest, _ console: Console) -> Int32 {
    for warning in request.warnings { console.complain(warning) }
    var options = request.options
    options.observer = CopyObserver(
      hearsFiles: request.isVerbose,
      hearsMethods: request.explainsMethods
    ) { event in
      console.show(event)
    }
    options.confirm = { console.confirm($0) }
    let report = FileCopier(options).copy(
      from: request.sources,
      to: request.destination,
      placing: request.placement
    )
    if request.explainsMethods { console.show(report) }
    if report.failures.contains(where: { $0.problem == .parentsNeedDirectory }) {
      console.pointToHelp()
    }
    return report.isComplete ? 0 : 1
  }
}
