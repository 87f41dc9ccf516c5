// Races on purpose: what the thread sanitizer must see, or it would prove nothing about the rest.

import QueueRuntime
import IOChannelsSystem

/// A number that two threads change without a lock.
private final class Unguarded: @unchecked Sendable {
  var value = 0
}

private func race() throws {
  let (number, running) = (Unguarded(), WorkGroup())
  for _ in 0..<2 { running.enter() }
  // From here on nothing orders the threads, not even a look at the group.
  for _ in 0..<2 {
    try PlatformThread.start(name: "race") {
      for _ in 0..<1000 { number.value += 1 }
      running.leave()
    }
  }
  running.wait()
  print(number.value)
}

try race()
