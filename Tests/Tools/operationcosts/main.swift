// Counts what operations take beside time, and fails where one takes more than it may:
//
//   operationcosts FILE [NAME]    makes FILE for channels, on a file system where they use the
//                                 ring; counts only the work whose name begins so
//
// It prints a table in Markdown: what one operation takes, and in brackets what it may. It tells
// nothing of a build for debugging, where more is retained and allocated.

import CIOChannelsCounting
import Glibc

/// A number in a column of the table.
private func column(_ value: Double, of bound: Double, isCounted: Bool = true) -> String {
  func rounded(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
  return " | \(isCounted ? rounded(value) : "not counted") (\(rounded(bound)))"
}

private func run() throws -> Bool {
  let arguments = CommandLine.arguments.dropFirst()
  guard let path = arguments.first, arguments.count <= 2 else {
    print("usage: operationcosts FILE [NAME]")
    return false
  }
  let name = arguments.dropFirst().first ?? ""
  var allKept = true
  let areCallsCounted = cc_count_calls()
  print("| one | allocations | retains | sleeps | system calls |\n|---|---|---|---|---|")
  let directory = String(path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex))
  let copies = try CopyWorks(in: directory.isEmpty ? "." : directory)
  for work in try QueueWorks.all + ChannelWorks(path: path).all + PipeWorks.all + copies.all
  where work.name.hasPrefix(name) {
    let costs = try Costs.leastOf(rounds: 10, work)
    let isKept = costs.keep(work.bounds)
    print(
      "| \(work.name)" + (isKept ? "" : ": TOO MUCH")
        + column(costs.allocations, of: work.bounds.allocations)
        + column(costs.retains, of: work.bounds.retains)
        + column(costs.sleeps, of: work.bounds.sleeps)
        + column(costs.calls, of: work.bounds.calls, isCounted: areCallsCounted) + " |"
    )
    allKept = allKept && isKept
  }
  if !areCallsCounted { print("\nThe kernel does not let system calls be counted.") }
  return allKept
}

exit(try run() ? 0 : 1)
