import Measure

/// B21: event sources, beside those of Dispatch.
enum EventSourceRows {
  static let rows = [
    row("B21.merge", "merges of 1 into a data source that adds, by one thread", goal: 1.2) { size in
      let count = size.count(quick: 2_000_000, full: 20_000_000)
      return Sides(
        ours: { try OurSources.merge(count) },
        theirs: { try DispatchSources.merge(count) }
      )
    },
    row("B21.echo", "bytes sent to and fro by two sources over a pair of sockets", goal: 2.7) {
      size in
      let count = size.count(quick: 5_000, full: 50_000)
      return Sides(
        ours: { try OurSources.echo(count) },
        theirs: { try DispatchSources.echo(count) }
      )
    },
    row("B21.timer", "timer sources: created, armed, cancelled, \(Timers.armed)", goal: 1) { _ in
      Turn.sides(.armSources, .dispatchArmSources)
    },
    row("B21.cancel", "read sources: from cancel to its handler, one by one", goal: 2.5) { size in
      let count = size.count(quick: 2_000, full: 20_000)
      return Sides(
        ours: { try OurSources.cancel(count) },
        theirs: { try DispatchSources.cancel(count) }
      )
    },
    Row(
      bound: 1024,
      unit: "bytes",
      id: "B21.timer-bytes",
      work: "memory of a timer source with a handler, 10,000 armed"
    ) { _ in try Turn.bytesOfTimerSource.inNewProcess() },
  ]

  private static func row(
    _ id: String,
    _ work: String,
    goal: Double,
    sides: @escaping @Sendable (Size) throws -> Sides
  ) -> Row {
    Row(id: id, work: work, rival: "Dispatch", goal: goal, sides: sides)
  }
}
