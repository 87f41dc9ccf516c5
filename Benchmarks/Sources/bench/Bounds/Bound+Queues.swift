import Measure

extension Bound {
  /// Those of the rows of queues, timers and what is in flight.
  static var queues: [Bound] {
    [
      loop("B9.barrier-readers", "a lock for readers and writers", "lock", 400_000),
      loop("B9.perform-short", "two threads that never sleep", "shares", 100_000),
      loop("B9.concurrent", "nodes that go into one list and out", "list", 400_000),
      timers("B10.arm"),
      timers("B10.arm-cpu"),
      Bound(id: "B10.lateness-none") { _ in
        let work = ["lateness", "\(Timers.fired)"]
        return [Way("a thread that sleeps and wakes another", "bareloops", work)]
      },
      Bound(id: "B12.channel-reads") { size in
        let file = try CachedFile.shared(megabytes: 128)
        let count = size.count(quick: 300_000, full: 1_000_000)
        return [64, 16_000, 100_000].map { kept in
          Way(name: "a loop of pread into new memory, the last \(kept) results kept") {
            try number(
              printedBy: [programBeside("bareloops"), "results", "\(count)", "\(kept)", file.path]
            )
          }
        }
      },
    ]
  }

  private static func loop(_ id: String, _ name: String, _ work: String, _ count: Int) -> Bound {
    Bound(id: id) { size in
      [Way(name, "bareloops", [work, "\(size.count(quick: count / 4, full: count))"])]
    }
  }

  private static func timers(_ id: String) -> Bound {
    Bound(id: id) { _ in
      [Way("memory, the clock and a place in a heap", "bareloops", ["timers", "\(Timers.armed)"])]
    }
  }
}
