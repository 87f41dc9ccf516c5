import Testing

@testable import IOChannels

@Suite("Guesses about the page cache (S163)")
struct CacheGuessTests {
  /// How many reads go without a look before the next one with one.
  private func passes(_ guess: inout CacheGuess) -> Int {
    var count = 0
    while !guess.mayLook() { count += 1 }
    return count
  }

  @Test("Attempts become rare when they find nothing")
  func looksInVainBecomeRare() {
    var guess = CacheGuess()
    var found = [passes(&guess)]
    for _ in 0..<8 {
      guess.note(found: false)
      found.append(passes(&guess))
    }
    #expect(found == [0, 1, 3, 7, 15, 31, 63, 63, 63])
  }

  @Test("An attempt that finds bytes resets the rate")
  func oneThatFindsSomethingMakesAllGood() {
    var guess = CacheGuess()
    for _ in 0..<8 { guess.note(found: false) }
    guess.note(found: true)
    #expect(passes(&guess) == 0)
    guess.note(found: false)
    #expect(passes(&guess) == 1)
  }
}
