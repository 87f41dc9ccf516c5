import Simulation
import IOChannelsTestSupport
import Testing

@Suite("Simulation")
struct SimulationTests {
  @Test("Everything holds in some seeds")
  func seedsHold() throws {
    let totals = try Campaign(seeds: 0..<200, threads: 1).run()
    #expect(totals.failure == nil)
    #expect(totals.seeds == 200)
    #expect(totals.operations >= 20 * totals.seeds)
    #expect(totals.channels >= 3 * totals.seeds)
  }

  @Test("A seed gives the same run each time, alone or after others")
  func sameRunTwice() throws {
    let surroundings = try Surroundings()
    let first = (0..<30).map { Simulation.run(seed: UInt64($0), in: surroundings) }
    for seed in [7, 3, 29] {
      #expect(Simulation.run(seed: UInt64(seed), in: try Surroundings()) == first[seed])
    }
  }

  @Test("A run of all steps by their numbers is the run of the seed")
  func allSteps() throws {
    let surroundings = try Surroundings()
    let whole = Simulation.run(seed: 11, in: surroundings)
    let steps = Array(0..<whole.steps)
    #expect(Simulation.run(seed: 11, steps: steps, in: surroundings) == whole)
    #expect(Simulation.run(seed: 11, steps: [], in: surroundings) != whole)
  }

  @Test("Shrinking keeps the steps that a failure needs, and no others")
  func shrinking() {
    var runs = 0
    let kept = StepList(Array(0..<300)).shrunk { steps in
      runs += 1
      return [17, 18, 201].allSatisfy(steps.contains)
    }
    #expect(kept.steps == [17, 18, 201])
    #expect(runs < 300)
  }

  @Test(
    "A list of steps is read as it is written",
    arguments: [[], [0], [0, 1], [3, 5, 6, 7, 9]]
  )
  func listText(steps: [Int]) {
    #expect(StepList(StepList(steps).text) == StepList(steps))
  }

  @Test(
    "Other texts are no list of steps",
    arguments: ["x", "3-1", "1,1", "-", "2-", "1-2-3", "4,2"]
  )
  func otherTexts(text: String) {
    #expect(StepList(text) == nil)
  }
}
