// Carries out scripts on channels, of this package or of Dispatch, and prints a line for each.
//
//   channelscripts ours|dispatch FIRST COUNT DIRECTORY
//   channelscripts show FIRST COUNT -
//
// Two runs with the same numbers print the same lines. The second form prints the scripts.

import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

private func lines<Channel: ScriptedChannel>(
  on: Channel.Type,
  _ first: UInt64,
  _ count: UInt64,
  in directory: String
) throws {
  for number in first..<first + count {
    print("\(number):", try Run<Channel>(Script(number: number), in: directory).line())
  }
}

private let words = CommandLine.arguments
guard words.count == 5, let first = UInt64(words[2]), let count = UInt64(words[3]) else {
  stop(saying: "channelscripts ours|dispatch FIRST COUNT DIRECTORY")
}
// Dispatch raises it where nobody reads.
if words[1] == "dispatch" { signal(SIGPIPE, SIG_IGN) }
do {
  if words[1] == "show" {
    for number in first..<first + count { print(Script(number: number)) }
  } else if words[1] == "ours" {
    try lines(on: OurChannel.self, first, count, in: words[4])
  } else {
    try lines(on: TheirChannel.self, first, count, in: words[4])
  }
} catch {
  print(error)
  exit(1)
}
