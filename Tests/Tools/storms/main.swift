// Storms of channels in a process of their own: they take descriptors away, and afterwards
// nothing may be left of the engine.
//
// A way that works ends with status 0 and the line "done". The arguments name the way, the
// backend, the seed, the number of channels and a directory for files.

import IOChannels
import RequestEngine

private let words = CommandLine.arguments
guard words.count == 6, let seed = UInt64(words[3]), let count = Int(words[4]) else {
  stop(saying: "storms WAY BACKEND SEED COUNT DIRECTORY")
}

private let before = try Belongings()
do {
  let watch = Watch()
  let contents = try Contents(in: words[5])
  let engine = Engine(
    setting: words[2],
    routing: .ring,
    pool: BlockingPool(lane: "own", width: 4),
    budget: MemoryBudget(limit: 8 << 20),
    // Every buffer is a mapping of its own, which is gone with its last user: what the kernel did
    // to it afterwards would be an error, or show in a mapping that took its place.
    buffers: BufferPool(cachedBytesLimit: 0),
    observer: watch
  )
  check(engine.choice.usesRing == (words[2] == "uring"))
  switch words[1] {
  case "reuse": try reuse(engine, contents, seed: seed, count: count)
  case "rude": try rude(engine, contents, seed: seed, count: count)
  default: stop(saying: "There is no way \(words[1]).")
  }
  check(engine.budget.used == 0)
  check(engine.shutDown(within: .seconds(30)).isClean)
  watch.checkEnd()
}
// Workers of queues and lanes end when they have had no work for five seconds.
private let limit = Deadline.now() + .seconds(60)
private let pause = CountingSemaphore(value: 0)
while try Belongings() != before {
  if Deadline.now() > limit { stop(saying: "left: \(try Belongings()), not \(before)") }
  _ = pause.wait(timeout: .now() + .milliseconds(20))
}
print("done")
