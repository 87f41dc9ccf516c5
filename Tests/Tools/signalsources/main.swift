// Receives signals by sources, which concerns a whole process: one way in each run.
//
//   signalsources NAME     ends with status 0 if all is as it has to be
//   signalsources create NUMBER     says whether a signal can have a source, and creates one

import EventSources
import Glibc

private let ways = counting.merging(dispositions) { first, _ in first }
  .merging(surroundings) { first, _ in first }

private let arguments = CommandLine.arguments.dropFirst()

if arguments.first == "create", let signal = arguments.last.flatMap({ Int32($0) }) {
  print(SignalSource.canWatch(signal))
  fflush(nil)
  let source = EventSource.makeSignalSource(signal: signal)
  source.activate()
  source.cancel()
} else if let way = arguments.first.flatMap({ ways[$0] }) {
  way()
} else {
  print("usage: signalsources NAME, one of \(ways.keys.sorted().joined(separator: " "))")
  exit(2)
}
exit(0)
