import IOChannelsTestSupport
import Testing

/// Every trap of COPYING.md on each kind of file system, for root and for nobody, on both backends.
@Suite("Traps", .trapStage, .ends(withinMinutes: 20))
struct TrapTests {
  /// A trap on a kind of file system.
  struct Place: CustomTestStringConvertible, Sendable {
    var trap: Trap
    var base: TrapStage.Base

    var testDescription: String { "\(trap.testDescription) on \(base.rawValue)" }

    static func all(on bases: [TrapStage.Base] = TrapStage.Base.inTier) -> [Place] {
      bases.flatMap { base in Trap.all.map { Place(trap: $0, base: base) } }
    }
  }

  private func stage(for place: Place) throws -> TrapStage {
    for need in place.base.needs + place.trap.needs { try need.orSkip() }
    return try #require(TrapStage.current)
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Leads the command into a trap on both backends.
  private func hold(_ place: Place, as player: TrapStage.Player) throws {
    let (trap, base) = (place.trap, place.base)
    let stage = try stage(for: place)
    let narrow = trap.props.contains(.narrow) ? try Mounted(base, isNarrow: true) : nil
    func outcome(_ copier: TrapStage.Copier) throws -> TrapStage.Outcome {
      try stage.play(trap, by: copier, as: player, on: base, narrow: narrow?.path)
    }
    var theirs: TrapStage.Outcome?
    if case .asCP = trap.expectation { theirs = try outcome(.installed) }
    for way in [Way.threads, .ring] {
      if way == .ring { try Need.ring.orSkip() }
      let ours = try outcome(.fastcp(way))
      let wanted = trap.expectation.text ?? theirs?.found ?? ""
      #expect(lines(ours.found) == lines(wanted), "\(way) \(ours.told) \(ours.errors)")
      if let theirs { #expect(lines(ours.told) == lines(theirs.told), "\(way)") }
    }
  }

  @Test("The superuser is led into no trap", .needs(.root, .loop), arguments: Place.all())
  func root(place: Place) throws { try hold(place, as: .root) }

  @Test(
    "A user without privileges is led into no trap either",
    .needs(.root, .loop),
    arguments: Place.all()
  )
  func nobody(place: Place) throws { try hold(place, as: .nobody) }

  @Test(
    "A loop that is written down first falls into every trap that has such a loop in mind",
    .needs(.root, .loop),
    arguments: Place.all(on: Tier.current == .full ? TrapStage.Base.allCases : [.tmpfs])
      .filter { !$0.trap.naiveLoop.holds },
    Tier.current == .full ? TrapStage.Player.allCases : [.root]
  )
  func naiveLoop(place: Place, player: TrapStage.Player) throws {
    let (trap, base) = (place.trap, place.base)
    let stage = try stage(for: place)
    let narrow = trap.props.contains(.narrow) ? try Mounted(base, isNarrow: true) : nil
    func found(_ copier: TrapStage.Copier) throws -> String {
      try stage.play(trap, by: copier, as: player, on: base, narrow: narrow?.path).found
    }
    let wanted = try trap.expectation.text ?? found(.installed)
    #expect(try found(.naiveLoop) != wanted)
  }

  @Test("Every number has one trap, and what a loop cannot get wrong has its reason")
  func numbers() {
    #expect(Trap.all.map(\.number) == Array(1...45))
    for trap in Trap.all {
      if case .holds(let reason) = trap.naiveLoop { #expect(reason.count > 20) }
    }
  }
}
