import IOChannels

/// Work for timers, on our runtime; `DispatchTimers` does the same.
enum OurTimers {
  /// Arms timers an hour ahead and cancels what they would run; `meter` measures that.
  static func armItems(_ count: Int, meter: Probes.Meter) -> Double {
    let queue = WorkQueue(label: "bench")
    let start = Deadline.now() + .seconds(3600)
    let timers = Places.milliseconds(count).map { (WorkItem {}, start + .milliseconds($0)) }
    return meter {
      for (item, time) in timers { queue.asyncAfter(deadline: time, execute: item) }
      for (item, _) in timers { item.cancel() }
    }
  }

  /// Fires timers a millisecond apart and notes how late they are.
  static func fire(
    _ count: Int,
    leeway: Duration? = nil,
    whileArmed body: () throws -> Void
  ) throws -> [Lateness] {
    let queue = WorkQueue(label: "bench")
    let group = WorkGroup()
    let found = Latenesses()
    let start = Deadline.now()
    for distance in 1...count {
      let planned = Duration.milliseconds(200 + distance)
      group.enter()
      queue.asyncAfter(deadline: start + planned, leeway: leeway) {
        let time = start.distance(to: .now()) - planned
        found.all.append(Lateness(time: time, planned: planned))
        group.leave()
      }
    }
    try body()
    group.wait()
    return found.all
  }
}
