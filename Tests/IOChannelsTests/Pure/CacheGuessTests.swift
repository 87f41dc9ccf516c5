import Testing

@testable import IOChannels

/// When it is worth looking for bytes in memory (S163).
@Suite struct CacheGuessTests {
  /// How many reads go without a look before the next one with one.
  private func passes(_ guess: inout CacheGuess) -> Int {
    var count = 0
    while !guess.mayLook() { count += 1 }
    return count
  }

  @Test func looksInVainBecomeRare() {
    var guess = CacheGuess()
    var found = [passes(&guess)]
    for _ in 0..<8 {
      guess.note(found: false)
      found.append(passes(&guess))
    }
    #expect(found == [0, 1, 3, 7, 15, 31, 63, 63, 63])
  }

  @Test func oneThatFindsSomethingMakesAllGood() {
    var guess = CacheGuess()
    for _ in 0..<8 { guess.note(found: false) }
    guess.note(found: true)
    #expect(passes(&guess) == 0)
    guess.note(found: false)
    #expect(passes(&guess) == 1)
  }
}
