// Storms of channels in a process of their own: they take descriptors away, and afterwards
// nothing may be left of the engine.
//
// A way that works ends with status 0 and the line "done". The arguments name the way, the
// backend, the seed, the number of channels, a directory for files, and in a build with defects
// one of those to switch on.

import IOChannels
import IOChannelsEngine

private let words = CommandLine.arguments
guard (6...7).contains(words.count), let seed = UInt64(words[3]), let count = Int(words[4]) else {
  stop(saying: "storms WAY BACKEND SEED COUNT DIRECTORY [DEFECT]")
}
if words.count == 7, !activateDefect(words[6]) { stop(saying: "There is no \(words[6]) here.") }

// Many times what it takes, the wait for idle workers included.
limitTime(seconds: 120 + count / 20)

private let before = try Belongings()
do {
  let watch = Watch()
  let contents = try Contents(in: words[5])
  let engine = Engine(
    setting: words[2],
    routing: .ring,
    pool: BlockingPool(name: "own", width: 4),
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
  // An answer that finds no request would hide that the kernel met memory that was gone.
  check(engine.counts.staleAnswers == 0)
}
// Workers of queues and blocking pools end when they have had no work for five seconds.
private let limit = Deadline.now() + .seconds(60)
private let pause = CountingSemaphore(value: 0)
while try Belongings() != before {
  if Deadline.now() > limit { stop(saying: "left: \(try Belongings()), not \(before)") }
  _ = pause.wait(timeout: .now() + .milliseconds(20))
}
print("done")
