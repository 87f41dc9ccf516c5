import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Job bands")
struct JobBandsTests {
  /// A job as the tests know it: its band, and its number there.
  private struct Ticket: Hashable {
    var band: Int
    var number: Int
  }

  /// The bands, and beside them what they must do, by plain lists.
  private struct Model {
    var bands: JobBands<Ticket>
    var waiting: [[Ticket]]
    var added: [Int]
    /// The jobs of others that were taken since a band last had none or its turn.
    var passed: [Int]

    init(bands count: Int) {
      bands = JobBands(bands: count)
      waiting = Array(repeating: [], count: count)
      added = Array(repeating: 0, count: count)
      passed = added
    }

    mutating func add(to band: Int) {
      let ticket = Ticket(band: band, number: added[band])
      added[band] += 1
      waiting[band].append(ticket)
      bands.append(ticket, to: band)
    }

    mutating func take() {
      guard let ticket = bands.popFirst() else {
        #expect(waiting.allSatisfy { $0.isEmpty })
        return
      }
      let expected = waiting[ticket.band].first
      #expect(ticket == expected)
      if expected != nil { waiting[ticket.band].removeFirst() }
      // A band may be passed over once more for each that is impatient at the same time.
      let patience = JobBands<Ticket>.patience
      let urgent = waiting[..<ticket.band].firstIndex { !$0.isEmpty }
      if urgent != nil { #expect(passed[ticket.band] >= patience) }
      for band in waiting.indices {
        let waits = band != ticket.band && !waiting[band].isEmpty
        passed[band] = waits ? passed[band] + 1 : 0
        #expect(passed[band] <= patience + waiting.count - 1)
      }
      #expect(bands.count == waiting.reduce(0) { $0 + $1.count })
      #expect(bands.isEmpty == (bands.count == 0))
    }
  }

  @Test("The more urgent goes first, inside a class the oldest (S98)")
  func urgentFirst() {
    var model = Model(bands: 3)
    for band in [2, 1, 0, 2, 1, 0] { model.add(to: band) }
    var order: [Ticket] = []
    while let ticket = model.bands.popFirst() { order.append(ticket) }
    #expect(order.map(\.band) == [0, 0, 1, 1, 2, 2])
    #expect(order.map(\.number) == [0, 1, 0, 1, 0, 1])
  }

  @Test("A class that was passed over sixteen times gets a turn (S98)")
  func nobodyStarves() {
    var bands = JobBands<Int>(bands: 3)
    for _ in 0..<200 { bands.append(0, to: 0) }
    for _ in 0..<5 { bands.append(1, to: 1) }
    for _ in 0..<5 { bands.append(2, to: 2) }
    var order: [Int] = []
    for _ in 0..<54 {
      if let band = bands.popFirst() { order.append(band) }
    }
    let round = Array(repeating: 0, count: 16) + [2, 1]
    // The second's turn was the first's delay, which does not count as being passed over.
    #expect(Array(order[..<18]) == round)
    #expect(order.count { $0 == 1 } == 3 && order.count { $0 == 2 } == 3)
  }

  @Test("Every short history keeps the order and the bound (S98)", arguments: [1, 2, 3])
  func everyShortHistory(bands: Int) {
    func explore(_ model: Model, depth: Int) {
      if depth == 0 { return }
      for event in 0...bands {
        var next = model
        if event < bands { next.add(to: event) } else { next.take() }
        explore(next, depth: depth - 1)
      }
    }
    explore(Model(bands: bands), depth: Tier.count(quick: 6, full: 8))
  }

  @Test("Long histories keep the order and the bound (S98)", arguments: [1, 2, 3])
  func longHistories(bands: Int) {
    var generator = SeededGenerator()
    var model = Model(bands: bands)
    for _ in 0..<Tier.count(quick: 20_000, full: 500_000) {
      // Jobs come a little faster than they go, and most of them are urgent.
      if Int.random(in: 0..<20, using: &generator) < 11 {
        let isUrgent = Int.random(in: 0..<10, using: &generator) < 9
        model.add(to: isUrgent ? 0 : Int.random(in: 0..<bands, using: &generator))
      } else {
        model.take()
      }
      if model.bands.count > 500 { model = Model(bands: bands) }
    }
  }
}
