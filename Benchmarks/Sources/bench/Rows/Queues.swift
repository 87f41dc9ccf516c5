import Measure

/// B9: queues, groups and semaphores, beside those of Dispatch.
enum Queues {
  static let rows = [
    row(
      "B9.async",
      "closures submitted to a serial queue from one thread",
      goal: 2.6,
      count: 1_000_000,
      OurQueues.async,
      DispatchQueues.async
    ),
    row(
      "B9.sync",
      "closures run in an idle serial queue by one thread",
      goal: 1.3,
      count: 4_000_000,
      OurQueues.sync,
      DispatchQueues.sync
    ),
    row(
      "B9.barrier",
      "barriers run in an idle concurrent queue by one thread",
      goal: 3,
      count: 4_000_000,
      OurQueues.barrier,
      DispatchQueues.barrier
    ),
    row(
      "B9.barrier-readers",
      "turns of two threads in a concurrent queue, each 16th as a barrier",
      goal: 1.2,
      count: 400_000,
      variation: .large,
      OurQueues.barrierAmongReaders,
      DispatchQueues.barrierAmongReaders
    ),
    row(
      "B9.group",
      "visits to a group by one thread",
      goal: 1.5,
      count: 8_000_000,
      OurQueues.group,
      DispatchQueues.group
    ),
    row(
      "B9.group-async",
      "closures submitted to a serial queue in a group, which is waited for",
      goal: 2.2,
      count: 1_000_000,
      OurQueues.asyncIntoGroup,
      DispatchQueues.asyncIntoGroup
    ),
    row(
      "B9.semaphore",
      "permits given and taken by one thread",
      goal: 0.95,
      count: 8_000_000,
      OurQueues.semaphore,
      DispatchQueues.semaphore
    ),
    row(
      "B9.perform",
      "iterations of one parallel loop",
      goal: 3.8,
      count: 20_000_000,
      OurQueues.perform,
      DispatchQueues.perform
    ),
    row(
      "B9.perform-short",
      "parallel loops of 16 iterations, one after the other",
      goal: 1.2,
      count: 100_000,
      OurQueues.performShort,
      DispatchQueues.performShort
    ),
    row(
      "B9.pingpong",
      "hops between two serial queues",
      goal: 3,
      count: 200_000,
      OurQueues.pingPong,
      DispatchQueues.pingPong,
      tails: { (OurQueues.tailOfHops($0), DispatchQueues.tailOfHops($0)) }
    ),
    row(
      "B9.queues",
      "closures submitted to 1000 serial queues in turn",
      goal: 1.8,
      count: 400_000,
      OurQueues.manyQueues,
      DispatchQueues.manyQueues
    ),
    row(
      "B9.concurrent",
      "closures submitted to a concurrent queue from two threads",
      goal: 2,
      count: 400_000,
      OurQueues.concurrent,
      DispatchQueues.concurrent
    ),
  ]

  private static func row(
    _ id: String,
    _ work: String,
    goal: Double,
    count: Int,
    variation: Variation = .usual,
    _ ours: @escaping @Sendable (Int) throws -> Timing,
    _ theirs: @escaping @Sendable (Int) throws -> Timing,
    tails: (@Sendable (Int) -> (ours: Tail, theirs: Tail))? = nil
  ) -> Row {
    Row(
      id: id,
      work: "\(work), \(count) of them (quick: a quarter)",
      rival: "Dispatch",
      goal: goal,
      variation: variation
    ) { size in
      let count = size.count(quick: count / 4, full: count)
      let sides = Sides(ours: { try ours(count) }, theirs: { try theirs(count) })
      guard let tails else { return sides }
      return sides.with { tails(count) }
    }
  }
}
