import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// `channeltool storm`: uses many channels at once, after which nothing of the engine may remain.
///
/// It closes descriptors of the process, so it runs in a process of its own.
enum Storm {
  static let usage = """
    channeltool storm reuse BACKEND SEED COUNT DIRECTORY [DEFECT]  close after the cleanup
    channeltool storm rude BACKEND SEED COUNT DIRECTORY [DEFECT]   close while requests wait
    channeltool storm scarce BACKEND SEED COUNT DIRECTORY [DEFECT] wait without free descriptors
    """

  /// Prints "done" if everything is correct.
  ///
  /// The arguments: the way, the backend, the seed, the number of channels, a directory for files,
  /// and in a build with defects one of those to switch on.
  static func run(_ arguments: [String]) throws {
    guard (5...6).contains(arguments.count), let seed = UInt64(arguments[2]),
      let count = Int(arguments[3])
    else { throw UsageError() }
    if arguments.count == 6, !activateDefect(arguments[5]) {
      stop(saying: "There is no \(arguments[5]) here.")
    }
    // Many times the usual time, the wait for idle workers included.
    limitTime(seconds: 120 + count / 20)

    let before = try Belongings()
    try storm(arguments[0], setting: arguments[1], seed: seed, count: count, in: arguments[4])
    // Workers of queues and blocking pools end when they have had no work for five seconds.
    let limit = Deadline.now() + .seconds(60)
    let pause = CountingSemaphore(value: 0)
    while try Belongings() != before {
      if Deadline.now() > limit { stop(saying: "left: \(try Belongings()), not \(before)") }
      _ = pause.wait(timeout: .now() + .milliseconds(20))
    }
    print("done")
  }

  private static func storm(
    _ way: String,
    setting: String,
    seed: UInt64,
    count: Int,
    in directory: String
  ) throws {
    let watch = Watch()
    let contents = try Contents(in: directory)
    let engine = Engine(
      setting: setting,
      routing: .ring,
      pool: BlockingPool(name: "own", width: 4),
      budget: MemoryBudget(limit: 8 << 20),
      // Every buffer is a mapping of its own, which is unmapped after its last use: a later access
      // of the kernel would be an error, or show in a mapping that took its place.
      buffers: BufferPool(cachedBytesLimit: 0),
      observer: watch
    )
    check(engine.choice.usesRing == (setting == "uring"))
    switch way {
    case "reuse": try reuse(engine, contents, seed: seed, count: count)
    case "scarce": try scarce(engine, contents, seed: seed, count: count)
    case "rude": try rude(engine, contents, seed: seed, count: count)
    default: throw UsageError()
    }
    check(engine.budget.used == 0)
    check(engine.becomesIdle())
    watch.checkEnd()
    // An answer without a request would hide that the kernel used memory that was freed.
    check(engine.counts.staleAnswers == 0)
  }
}
