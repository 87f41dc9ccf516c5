import Dispatch

/// Work for timers, on Dispatch; `OurTimers` does the same.
enum DispatchTimers {
  static func armItems(_ count: Int, meter: Probes.Meter) -> Double {
    let queue = DispatchQueue(label: "bench")
    let start = DispatchTime.now() + .seconds(3600)
    let timers = Places.milliseconds(count).map { (DispatchWorkItem {}, start + .milliseconds($0)) }
    return meter {
      for (item, time) in timers { queue.asyncAfter(deadline: time, execute: item) }
      for (item, _) in timers { item.cancel() }
    }
  }

  static func armSources(_ count: Int, meter: Probes.Meter) -> Double {
    let queue = DispatchQueue(label: "bench")
    let start = DispatchTime.now() + .seconds(3600)
    let times = Places.milliseconds(count).map { start + .milliseconds($0) }
    return meter {
      let sources = times.map { time in
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler {}
        source.schedule(deadline: time)
        source.activate()
        return source
      }
      for source in sources { source.cancel() }
    }
  }

  static func fire(_ count: Int, whileArmed body: () throws -> Void) throws -> [Lateness] {
    let queue = DispatchQueue(label: "bench")
    let group = DispatchGroup()
    let found = Latenesses()
    let start = DispatchTime.now()
    for distance in 1...count {
      let planned = 200 + distance
      group.enter()
      queue.asyncAfter(deadline: start + .milliseconds(planned)) {
        let time = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        let planned = Duration.milliseconds(planned)
        found.all.append(Lateness(time: .nanoseconds(time) - planned, planned: planned))
        group.leave()
      }
    }
    try body()
    group.wait()
    return found.all
  }

  /// Fires timer sources without leeway, a millisecond apart.
  static func fireSources(_ count: Int) throws -> [Lateness] {
    let queue = DispatchQueue(label: "bench")
    let group = DispatchGroup()
    let found = Latenesses()
    let start = DispatchTime.now()
    let sources = (1...count).map { distance in
      let planned = 200 + distance
      let source = DispatchSource.makeTimerSource(queue: queue)
      group.enter()
      source.setEventHandler {
        let time = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        let planned = Duration.milliseconds(planned)
        found.all.append(Lateness(time: .nanoseconds(time) - planned, planned: planned))
        group.leave()
      }
      source.schedule(deadline: start + .milliseconds(planned), leeway: .nanoseconds(0))
      source.activate()
      return source
    }
    group.wait()
    for source in sources { source.cancel() }
    return found.all
  }
}
