import Testing

@testable import FileCopy

/// What of a file is asked for ahead of its copy.
@Suite("Window of prefetched ranges")
struct ReadAheadWindowTests {
  /// A window as a copy uses it.
  private struct Asking {
    var window: ReadAheadWindow
    /// How far has been asked.
    var end: Int64 = 0

    init(length: Int64, reach: Int64) {
      window = ReadAheadWindow(length: length, reach: reach)
    }

    /// Notes copied bytes and asks for all that it is time for.
    ///
    /// - Returns: Whether somebody was to ask, and whether the parts had no gap.
    mutating func moved(_ count: Int64) -> (asks: Bool, isWhole: Bool) {
      guard window.advance(by: Int(count)) else { return (false, true) }
      var isWhole = true
      while let part = window.next() {
        isWhole = isWhole && part.lowerBound == end && part.upperBound > end
        end = part.upperBound
      }
      return (true, isWhole)
    }
  }

  @Test(
    "Prefetched ranges have no gaps and keep their distance",
    arguments: [ReadAheadWindow.reach, ReadAheadWindow.pacedReach]
  )
  func distance(reach: Int64) {
    let step = ReadAheadWindow.step
    let length = 2 * reach + 1000
    var asking = Asking(length: length, reach: reach)
    let moves: [(count: Int64, asks: Bool, end: Int64)] = [
      (0, true, reach), (step - 1, false, reach), (1, true, reach + step),
      (reach, true, length), (reach, false, length),
    ]
    for (index, move) in moves.enumerated() {
      let result = asking.moved(move.count)
      #expect(result.asks == move.asks && result.isWhole, "\(index)")
      #expect(asking.end == move.end, "\(index)")
    }
  }

  @Test("One thread prefetches at a time")
  func alone() {
    var window = ReadAheadWindow(length: .max)
    let answers = [0, 100 << 20].map { window.advance(by: $0) }
    #expect(answers == [true, false])
  }

  @Test("Copied ranges are not prefetched, and none are after the end of the copy")
  func behind() {
    var window = ReadAheadWindow(length: .max)
    _ = window.advance(by: 0)
    _ = window.advance(by: 100 << 20)
    let part = window.next()
    #expect(part?.lowerBound == 100 << 20)
    window.stop()
    let last = window.next()
    #expect(last == nil)
    let asks = window.advance(by: 1 << 30)
    #expect(!asks)
  }
}
