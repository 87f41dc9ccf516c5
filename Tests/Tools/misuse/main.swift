// Misuses the library.
//
//   misuse NAME     in one way
//   misuse --all    in every way, each in a process of its own, and fails where one does not end by
//                   a trap, or says anything but the sentence and the rule (S45)

import Glibc
import IOChannels
import IOChannelsTestSupport

private let all =
  Misuse.buffers + Misuse.queues + Misuse.waits + Misuse.channels + Misuse.sources

/// Misuses the library in one way.
private func run(_ misuse: Misuse) throws {
  switch misuse.body {
  case .call(let body): try body()
  case .task(let body):
    let end = CountingSemaphore(value: 0)
    Task {
      do { try await body() } catch { print("\(misuse.name): \(error)") }
      end.signal()
    }
    end.wait()
  }
}

/// Why a program ended otherwise than it should have; `nil` if it did not.
private func difference(_ misuse: Misuse) throws -> String? {
  let outcome = try IOChannelsTestSupport.run(
    [CommandLine.arguments[0], misuse.name],
    environment: ["SWIFT_BACKTRACE": "enable=no"],
    timeout: .seconds(30)
  )
  let isTrap = [SIGILL, SIGTRAP].contains(outcome.signal)
  return isTrap && outcome.errorText == misuse.line ? nil : "\(misuse.name): \(outcome)"
}

private func checkAll() throws -> Int32 {
  if Set(all.map(\.name)).count != all.count {
    print("misuse: two cases have one name")
    return 1
  }
  let differences = try all.compactMap(difference)
  for difference in differences { print(difference) }
  print("\(all.count - differences.count) of \(all.count) say why")
  return differences.isEmpty ? 0 : 1
}

let argument = CommandLine.arguments.dropFirst().first ?? ""
if argument == "--all" { exit(try checkAll()) }
guard let misuse = all.first(where: { $0.name == argument }) else {
  print("usage: misuse --all | NAME")
  exit(2)
}
try run(misuse)
