import Simulation
import IOChannelsTestSupport
import Testing

@Suite("Enumeration")
struct EnumerationTests {
  /// Runs `body` with every list, and collects what it makes.
  private func all<Value>(unusualLimit: Int = 0, _ body: (ChoiceList) -> Value) -> [Value] {
    let list = ChoiceList([], unusualLimit: unusualLimit)
    var values: [Value] = []
    repeat { values.append(body(list)) } while list.advance()
    return values
  }

  @Test("A list of decisions meets every combination once")
  func combinations() {
    let pairs = all { list -> [Int] in
      let first = list.number(below: 2)
      // The second decision is one only after some of the first.
      return [first, first == 0 ? list.number(below: 3) : -1]
    }
    #expect(pairs == [[0, 0], [0, 1], [0, 2], [1, -1]])
  }

  @Test("Of many possibilities the first and the last are met")
  func ends() {
    #expect(all { $0.number(below: 1000) } == [0, 999])
  }

  @Test("No more unlikely events happen in a run than are allowed")
  func unusual() {
    let runs = all(unusualLimit: 1) { list in (0..<3).map { _ in list.chance(percent: 10) } }
    #expect(runs.count == 4)
    #expect(runs.allSatisfy { $0.count(where: \.self) <= 1 })
    #expect(Set(runs).count == 4)
  }

  @Test("Everything holds in all that can happen to one call")
  func oneCall() throws {
    let totals = try Enumeration(calls: 1, unusual: 1, limit: .max, threads: 1).run()
    #expect(totals.failure == nil)
    #expect(totals.programs == 12)
    #expect(totals.cutOff == 0)
    #expect(totals.runs > 200)
  }

  @Test("A program with more runs than the limit is counted")
  func cutOff() throws {
    let totals = try Enumeration(calls: 1, unusual: 1, limit: 3, threads: 1).run()
    #expect(totals.cutOff > 0)
    #expect(totals.runs <= 36)
  }

  @Test("A list of decisions gives the same run again")
  func replay() throws {
    let surroundings = try Surroundings()
    let list = ChoiceList([], unusualLimit: 1)
    for _ in 0..<100 {
      let run = Simulation.run([0, 0, 3], list, in: surroundings)
      let numbers = list.text.split(separator: ",").compactMap { Int($0) }
      let again = ChoiceList(numbers, unusualLimit: 1)
      #expect(Simulation.run([0, 0, 3], again, in: surroundings) == run)
      #expect(again.text == list.text)
      #expect(list.advance())
    }
    #expect(Simulation.run([7], list, in: surroundings) == nil)
  }

  @Test("Priorities that change give the same run each time, and another one than chance")
  func priorities() throws {
    let surroundings = try Surroundings()
    for seed in UInt64(0)..<10 {
      let order = Simulation.Order.priorities(changes: 3)
      let run = Simulation.run(seed: seed, order: order, in: surroundings)
      #expect(run.failure == nil)
      #expect(Simulation.run(seed: seed, order: order, in: try Surroundings()) == run)
      #expect(Simulation.run(seed: seed, in: surroundings) != run)
    }
  }
}
