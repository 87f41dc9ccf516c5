import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Searches")
struct SearchTests {
  private let whole = buffer([5, 1, 2], [3], [1, 2, 9], [7, 1])

  @Test("A byte is found from either end")
  func aByteIsFoundFromEitherEnd() {
    #expect(whole.firstIndex(of: 1) == 1)
    #expect(whole.lastIndex(of: 1) == 8)
    #expect(whole.lastIndex(of: 5) == 0)
    #expect(whole.firstIndex(of: 7) == 7)
    #expect(whole.contains(9))
    #expect(whole.firstIndex(of: 4) == nil)
    #expect(whole.lastIndex(of: 4) == nil)
    #expect(!whole.contains(4))
    #expect(DataBuffer.empty.firstIndex(of: 0) == nil)
    #expect(DataBuffer.empty.lastIndex(of: 0) == nil)
  }

  @Test("A byte is found inside a range")
  func aByteIsFoundInsideARange() {
    #expect(whole.firstIndex(of: 1, in: 2..<9) == 4)
    #expect(whole.firstIndex(of: 1, in: 2..<4) == nil)
    #expect(whole.firstIndex(of: 1, in: 4..<5) == 4)
    #expect(whole.firstIndex(of: 1, in: 9..<9) == nil)
    #expect(whole.lastIndex(of: 1, in: 0..<8) == 4)
    #expect(whole.lastIndex(of: 1, in: 2..<4) == nil)
    #expect(whole.lastIndex(of: 1, in: 4..<5) == 4)
    #expect(whole.lastIndex(of: 1, in: 9..<9) == nil)
  }

  /// The standard library asks these before it compares bytes one by one.
  @Test("The methods of the standard library use the search of the buffer")
  func theBufferAnswersForTheStandardLibrary() {
    #expect(whole._customIndexOfEquatableElement(9) == .some(6))
    #expect(whole._customIndexOfEquatableElement(4) == .some(nil))
    #expect(whole._customLastIndexOfEquatableElement(1) == .some(8))
    #expect(whole._customLastIndexOfEquatableElement(4) == .some(nil))
    #expect(whole._customContainsEquatableElement(9) == true)
    #expect(whole._customContainsEquatableElement(4) == false)
  }

  @Test("A sequence is found across regions")
  func aSequenceIsFoundAcrossRegions() {
    #expect(whole.firstRange(of: [1, 2, 3]) == 1..<4)
    #expect(whole.firstRange(of: [2, 3, 1, 2, 9, 7]) == 2..<8)
    #expect(whole.firstRange(of: [1, 2, 9]) == 4..<7)
    #expect(whole.firstRange(of: buffer([7], [1])) == 7..<9)
    #expect(whole.firstRange(of: [1, 7]) == nil)
    #expect(whole.lastRange(of: [1, 2]) == 4..<6)
    #expect(whole.lastRange(of: [2, 3, 1]) == 2..<5)
    #expect(whole.lastRange(of: [1, 7]) == nil)
    #expect(whole.ranges(of: [1, 2]) == [1..<3, 4..<6])
    #expect(whole.ranges(of: [1, 7]) == [])
    #expect(whole.contains([9, 7]))
    #expect(!whole.contains([9, 1]))
  }

  @Test("A sequence is found inside a range")
  func aSequenceIsFoundInsideARange() {
    #expect(whole.firstRange(of: [1, 2], in: 0..<9) == 1..<3)
    #expect(whole.firstRange(of: [1, 2], in: 2..<9) == 4..<6)
    #expect(whole.firstRange(of: [1, 2], in: 2..<5) == nil)
    #expect(whole.lastRange(of: [1, 2], in: 0..<5) == 1..<3)
    #expect(whole.lastRange(of: [1, 2], in: 2..<5) == nil)
    #expect(whole.ranges(of: [1], in: 1..<8) == [1..<2, 4..<5])
  }

  @Test("An empty sequence is found at every offset (S53)")
  func anEmptySequenceIsFoundAtEveryOffset() {
    #expect(whole.lastRange(of: []) == 9..<9)
    #expect(whole.lastRange(of: [], in: 3..<5) == 5..<5)
    #expect(DataBuffer.empty.lastRange(of: []) == 0..<0)
    #expect(whole.ranges(of: [], in: 3..<5) == [3..<3, 4..<4, 5..<5])
    #expect(DataBuffer.empty.ranges(of: []) == [0..<0])
    #expect(whole.firstRange(of: []) == 0..<0)
    #expect(whole.firstRange(of: [], in: 3..<5) == 3..<3)
    #expect(DataBuffer.empty.firstRange(of: []) == 0..<0)
    #expect(whole.contains([]))
  }

  @Test("Every small pattern is found in every small text")
  func everySmallTextAndPattern() {
    let patterns = (0...6).flatMap { words($0) }
    for text in (0...Tier.count(quick: 8, full: 12)).flatMap({ words($0) }) {
      let divided = text.reduce(into: DataBuffer()) { $0.append(DataBuffer(CollectionOfOne($1))) }
      let flat = DataBuffer(text)
      for pattern in patterns {
        let all = naiveRanges(of: pattern, in: text)
        let apart = withoutOverlap(all)
        for buffer in [flat, divided] {
          if buffer.firstRange(of: pattern) == all.first, buffer.lastRange(of: pattern) == all.last,
            buffer.ranges(of: pattern) == apart
          {
            continue
          }
          Issue.record("\(pattern) in \(text)")
        }
      }
    }
  }

  @Test("Random patterns are found in random texts")
  func randomTextsAndPatterns() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 1_000, full: 20_000) {
      let text = random.bytes(random.number(in: 0..<300)).map { $0 & 3 }
      let divided = randomlyDivided(text, &random)
      let start = random.number(in: 0..<text.count + 1)
      let taken = Array(text[start...].prefix(random.number(in: 0..<40)))
      let pattern = random.chance(percent: 70) ? taken : random.bytes(3).map { $0 & 3 }
      let range = start / 2..<random.number(in: start..<text.count + 1)
      let all = naiveRanges(of: pattern, in: Array(text[range]))
        .map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound }
      #expect(divided.firstRange(of: pattern, in: range) == all.first, "seed \(random.seed)")
      #expect(divided.lastRange(of: pattern, in: range) == all.last, "seed \(random.seed)")
      let apart = withoutOverlap(all)
      #expect(divided.ranges(of: pattern, in: range) == apart, "seed \(random.seed)")
      let last = text[range].lastIndex(of: 3)
      #expect(divided.lastIndex(of: 3, in: range) == last, "seed \(random.seed)")
      #expect(divided.firstIndex(of: 3) == text.firstIndex(of: 3), "seed \(random.seed)")
      #expect(divided.lastIndex(of: 3) == text.lastIndex(of: 3), "seed \(random.seed)")
    }
  }

  /// All sequences of a length over two bytes.
  private func words(_ length: Int) -> [[UInt8]] {
    (0..<1 << length).map { number in (0..<length).map { UInt8(number >> $0 & 1) } }
  }
}

/// Compares at every place.
func naiveRanges(of pattern: [UInt8], in text: [UInt8]) -> [Range<Int>] {
  guard pattern.count <= text.count else { return [] }
  return (0...text.count - pattern.count).map { $0..<$0 + pattern.count }
    .filter { text[$0].elementsEqual(pattern) }
}

/// The ranges that start behind the one that was kept before them.
private func withoutOverlap(_ ranges: [Range<Int>]) -> [Range<Int>] {
  ranges.reduce(into: []) { kept, range in
    if range.lowerBound >= kept.last?.upperBound ?? 0 { kept.append(range) }
  }
}

/// The bytes in regions of random sizes.
func randomlyDivided(_ bytes: [UInt8], _ random: inout SeededGenerator) -> DataBuffer {
  var (rest, result) = (bytes[...], DataBuffer())
  while !rest.isEmpty {
    let length = random.number(in: 1..<9)
    result.append(DataBuffer(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return result
}
