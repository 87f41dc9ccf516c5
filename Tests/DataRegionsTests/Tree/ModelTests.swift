import IOChannelsTestSupport
import Testing

@testable import DataRegions

@Suite("Random programs on buffers and on arrays")
struct ModelTests {
  @Test("Random programs match arrays")
  func randomProgramsMatchArrays() {
    var random = SeededGenerator()
    for number in 0..<Tier.count(quick: 2_000, full: 20_000) {
      // Few different bytes let searches meet what nearly matches.
      let mask: UInt8 = number.isMultiple(of: 2) ? 3 : 255
      var program = ModelProgram(random: SeededGenerator(seed: random.next()), mask: mask)
      program.run(steps: 30)
    }
  }
}
