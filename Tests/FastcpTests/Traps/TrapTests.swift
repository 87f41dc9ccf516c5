import IOChannelsTestSupport
import Testing

/// Every trap on each kind of file system, for root and for the user `nobody`, on both backends.
@Suite("Traps", .trapEnvironment, .ends(withinMinutes: 20))
struct TrapTests {
  /// A trap on a kind of file system.
  struct Place: CustomTestStringConvertible, Sendable {
    var trap: Trap
    var base: TrapEnvironment.Base

    var testDescription: String { "\(trap.testDescription) on \(base.rawValue)" }

    var needs: [Need] {
      let usesFaults = trap.extras.contains(.faulty) || trap.extras.contains(.faultyDirect)
      return base.needs + (usesFaults ? [.fuse] : [])
    }

    static func all(on bases: [TrapEnvironment.Base]) -> [Place] {
      bases.flatMap { base in Trap.all.map { Place(trap: $0, base: base) } }
    }

    /// One of four parts, so that no test takes long: every fourth trap from an index on.
    static func part(_ index: Int) -> [Place] {
      TrapEnvironment.Base.inTier.flatMap { base in
        stride(from: index, to: Trap.all.count, by: 4).map { Place(trap: Trap.all[$0], base: base) }
      }
    }
  }

  /// Runs a trap with each of some copiers, or skips the test.
  private func outcomes(
    at place: Place,
    as user: TrapEnvironment.User,
    with copiers: [TrapEnvironment.Copier]
  ) throws -> [TrapRun.Outcome] {
    for need in place.needs { try need.orSkip() }
    let environment = try #require(TrapEnvironment.current)
    let isNarrow = place.trap.extras.contains(.narrow)
    let narrow = isNarrow ? try NarrowFileSystem(place.base) : nil
    return try copiers.map { copier in
      try environment.outcome(
        of: place.trap,
        with: copier,
        as: user,
        on: place.base,
        narrow: narrow
      )
    }
  }

  /// Returns lines as the installed cp could print them.
  private func comparable(_ lines: [String]) -> [String] {
    lines.map { String(Twin.withoutNonDirectory($0[...])) }
  }

  /// The lines that only one of two lists has.
  private func difference(_ lines: [String], fromCP other: [String]) -> [String] {
    let (lines, other) = (comparable(lines), comparable(other))
    return lines.difference(from: other).map { change in
      switch change {
      case .insert(_, let line, _): "fastcp: \(line)"
      case .remove(_, let line, _): "cp: \(line)"
      }
    }
  }

  /// Checks `fastcp` on both backends.
  private func check(_ place: Place, as user: TrapEnvironment.User) throws {
    var reference: TrapRun.Outcome?
    if place.trap.comparesWithCP {
      reference = try outcomes(at: place, as: user, with: [.cp]).first
      #expect(reference?.problems == [])
    }
    for way in [Way.threads, .ring] {
      if way == .ring { try Need.ring.orSkip() }
      for outcome in try outcomes(at: place, as: user, with: [.fastcp(way)]) {
        #expect(outcome.problems == [], "\(way) \(outcome.copies)")
        guard let reference else { continue }
        #expect(difference(outcome.facts, fromCP: reference.facts) == [], "\(way)")
        #expect(difference(outcome.copies, fromCP: reference.copies) == [], "\(way)")
      }
    }
  }

  @Test(
    "A copy by root falls into no trap (part 1)",
    .needs(.root, .loop),
    arguments: Place.part(0)
  )
  func root1(place: Place) throws { try check(place, as: .root) }

  @Test(
    "A copy by root falls into no trap (part 2)",
    .needs(.root, .loop),
    arguments: Place.part(1)
  )
  func root2(place: Place) throws { try check(place, as: .root) }

  @Test(
    "A copy by root falls into no trap (part 3)",
    .needs(.root, .loop),
    arguments: Place.part(2)
  )
  func root3(place: Place) throws { try check(place, as: .root) }

  @Test(
    "A copy by root falls into no trap (part 4)",
    .needs(.root, .loop),
    arguments: Place.part(3)
  )
  func root4(place: Place) throws { try check(place, as: .root) }

  @Test(
    "A copy by a user without privileges falls into no trap (part 1)",
    .needs(.root, .loop),
    arguments: Place.part(0)
  )
  func nobody1(place: Place) throws { try check(place, as: .nobody) }

  @Test(
    "A copy by a user without privileges falls into no trap (part 2)",
    .needs(.root, .loop),
    arguments: Place.part(1)
  )
  func nobody2(place: Place) throws { try check(place, as: .nobody) }

  @Test(
    "A copy by a user without privileges falls into no trap (part 3)",
    .needs(.root, .loop),
    arguments: Place.part(2)
  )
  func nobody3(place: Place) throws { try check(place, as: .nobody) }

  @Test(
    "A copy by a user without privileges falls into no trap (part 4)",
    .needs(.root, .loop),
    arguments: Place.part(3)
  )
  func nobody4(place: Place) throws { try check(place, as: .nobody) }

  /// The traps that a simple copy loop falls into.
  private static let open = Place.all(
    on: Tier.current == .full ? TrapEnvironment.Base.allCases : [.tmpfs]
  ).filter { $0.trap.naiveLoopPasses == nil }
  private static let users =
    Tier.current == .full ? TrapEnvironment.User.allCases : [.root]

  @Test(
    "A simple copy loop falls into every trap, except where a reason is stated (part 1)",
    .needs(.root, .loop),
    arguments: open.prefix(open.count / 2),
    users
  )
  func naiveLoop1(place: Place, user: TrapEnvironment.User) throws { try checkLoop(place, user) }

  @Test(
    "A simple copy loop falls into every trap, except where a reason is stated (part 2)",
    .needs(.root, .loop),
    arguments: open.dropFirst(open.count / 2),
    users
  )
  func naiveLoop2(place: Place, user: TrapEnvironment.User) throws { try checkLoop(place, user) }

  private func checkLoop(_ place: Place, _ user: TrapEnvironment.User) throws {
    let copiers: [TrapEnvironment.Copier] =
      place.trap.comparesWithCP ? [.naiveLoop, .cp] : [.naiveLoop]
    let outcomes = try outcomes(at: place, as: user, with: copiers)
    let loop = try #require(outcomes.first)
    let hasOtherFacts = outcomes.contains { $0.facts != loop.facts }
    #expect(!loop.problems.isEmpty || hasOtherFacts)
  }

  @Test("Every number has one trap, and a loop that passes has a reason")
  func numbers() {
    #expect(Trap.all.map(\.rule) == (Array(1...45) + Array(51...76)).map { "T\($0)" })
    let reasons = Trap.all.compactMap(\.naiveLoopPasses)
    #expect(reasons.allSatisfy { $0.count > 20 })
  }
}
