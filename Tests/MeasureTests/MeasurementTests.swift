import IOChannelsMeasure
import Testing

/// What comes out of rows whose two sides give known numbers.
@Suite("Measurements") struct MeasurementTests {
  /// Two sides that give the numbers of a list in turn, and the order in which they were asked.
  private final class Script {
    var ours: [Double]
    var theirs: [Double]
    var order = ""

    init(ours: [Double], theirs: [Double]) {
      (self.ours, self.theirs) = (ours, theirs)
    }

    var sides: Sides {
      Sides(
        ours: { () -> Double in
          self.order += "A"
          return self.ours.removeFirst()
        },
        theirs: { () -> Double in
          self.order += "B"
          return self.theirs.removeFirst()
        }
      )
    }
  }

  private func measured(
    _ script: Script,
    size: Size = .quick,
    goal: Double = 1,
    variation: Variation = .usual
  ) throws -> Measurement {
    let script = UncheckedScript(script: script)
    let row = Row(id: "row", work: "work", rival: "rival", goal: goal, variation: variation) { _ in
      script.script.sides
    }
    return try Measurement(of: row, size: size) { _ in }
  }

  /// The rows of these tests are measured on the thread that made them.
  private struct UncheckedScript: @unchecked Sendable {
    let script: Script
  }

  @Test("The order alternates between pairs, and the warm-up pair does not count")
  func turns() throws {
    let script = Script(ours: [100, 1, 2, 4, 5, 6], theirs: [100, 2, 6, 4, 5, 6])
    let result = try measured(script, size: .full)
    #expect(script.order == "ABABBAABBAAB")
    #expect(result.ours.map(\.number) == [1, 2, 4, 5, 6])
    #expect(result.theirs.map(\.number) == [2, 6, 4, 5, 6])
  }

  @Test("The ratio is the median of the pairs' ratios, not the ratio of medians")
  func ratio() throws {
    let result = try measured(Script(ours: [1, 2, 4], theirs: [2, 6, 4]))
    #expect(result.ratios == [2, 3, 1])
    #expect(result.ratio == 2)
    #expect(result.spread == 1...3)
  }

  @Test("The best is the ratio of each side's least number, whichever pair it was in")
  func best() throws {
    #expect(try measured(Script(ours: [4, 8, 2], theirs: [6, 12, 18])).best == 3)
  }

  @Test(
    "Figures that are far apart are taken more often",
    arguments: [(Size.quick, 3), (.full, 9)]
  )
  func manyPairs(size: Size, count: Int) throws {
    let ones = [Double](repeating: 1, count: 10)
    let result = try measured(Script(ours: ones, theirs: ones), size: size, variation: .large)
    #expect(result.ratios.count == count)
  }

  @Test("A goal is met from its own value on", arguments: [(2.0, true), (2.001, false)])
  func goal(goal: Double, isMet: Bool) throws {
    let script = Script(ours: [1, 1, 1], theirs: [2, 2, 2])
    #expect(try measured(script, goal: goal).isMet == isMet)
  }

  @Test("A quick run has three pairs, a smoke run one, and neither anything before them")
  func sizes() throws {
    let quick = Script(ours: [1, 2, 1], theirs: [1, 2, 1])
    #expect(try measured(quick, size: .quick).ratios == [1, 1, 1])
    let smoke = Script(ours: [2], theirs: [6])
    #expect(try measured(smoke, size: .smoke).ratios == [3])
  }

  @Test("Pairs that nothing prepares are measured five times, and nothing is warmed up")
  func unprepared() throws {
    let full = Script(ours: [1, 1, 1, 1, 1], theirs: [5, 5, 5, 5, 5])
    #expect(try measured(full, size: .full, variation: .unprepared).ratios.count == 5)
  }

  @Test("A count is taken once", arguments: [Size.quick, .full])
  func counts(size: Size) throws {
    let script = Script(ours: [2], theirs: [6])
    #expect(try measured(script, size: size, variation: .none).ratios == [3])
  }

  @Test(
    "A count that misses its goal is over its bound, a time is not",
    arguments: [(Variation.none, 2.0, false), (.none, 3.5, true), (.usual, 3.5, false)]
  )
  func bounds(variation: Variation, goal: Double, isOver: Bool) throws {
    let threes = [Double](repeating: 3, count: 4)
    let script = Script(ours: [1, 1, 1, 1], theirs: threes)
    #expect(try measured(script, goal: goal, variation: variation).isOverBound == isOver)
  }

  @Test("A row that fails has no result")
  func failing() throws {
    let row = Row(id: "row", work: "work", rival: "rival", goal: 1) { _ in throw Skipped("why") }
    let error = #expect(throws: Skipped.self) {
      try Measurement(of: row, size: .smoke) { _ in }
    }
    #expect(error?.description == "why")
  }

  @Test("Sizes of a smoke run are those of a quick one unless it has its own")
  func chosenSizes() {
    #expect([Size.smoke, .quick, .full].map { $0.count(quick: 2, full: 3) } == [2, 2, 3])
    #expect(Size.smoke.count(smoke: 1, quick: 2, full: 3) == 1)
  }

  @Test(
    "The median of an even count lies between the two in the middle",
    arguments: [([], 0), ([3], 3), ([5, 1, 3], 3), ([1, 2, 4, 100], 3)] as [([Double], Double)]
  )
  func medians(values: [Double], expected: Double) {
    #expect(median(values) == expected)
  }
}
