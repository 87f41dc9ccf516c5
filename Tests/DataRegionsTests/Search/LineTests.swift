import DataRegions
import IOChannelsTestSupport
import Testing

@Suite("Lines (S54)")
struct LineTests {
  private func lines(_ parts: String...) -> [String] {
    DataBuffer(concatenating: parts.map { DataBuffer($0.utf8) }).lines
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Lines end with LF or with CR and LF")
  func linesEndWithEitherEnd() {
    #expect(lines("one\ntwo\r\nthree\n") == ["one", "two", "three"])
    #expect(lines("one\n\n\r\ntwo\n") == ["one", "", "", "two"])
  }

  @Test("A line ending may cross regions")
  func anEndMayCrossRegions() {
    #expect(lines("one\r", "\ntwo") == ["one", "two"])
    #expect(lines("on", "e\r", "\n", "\r", "\n") == ["one", ""])
  }

  @Test("The last line needs no line ending")
  func theLastLineNeedsNoEnd() {
    #expect(lines("one\ntwo") == ["one", "two"])
    #expect(lines("one\r") == ["one\r"])
    #expect(lines("") == [])
    #expect(lines("\n") == [""])
  }

  @Test("A carriage return elsewhere is a byte")
  func aCarriageReturnElsewhereIsAByte() {
    #expect(lines("o\rne\r\r\n") == ["o\rne\r"])
  }

  @Test("Lines share the memory")
  func linesShareTheMemory() {
    let whole = buffer([65, 10, 66], [67, 10])
    let second = Array(whole.lines)[1]
    #expect(second.sizes == [1, 1])
    #expect(second.regions[0].address == whole.regions[0].address + 2)
  }

  @Test("Every small text has the lines of plain code")
  func everySmallText() {
    for length in 0...Tier.count(quick: 6, full: 8) {
      var number = 0
      while let text = word(number, length) {
        let expected = expectedLines(text)
        let divided = text.reduce(into: DataBuffer()) { $0.append(DataBuffer(CollectionOfOne($1))) }
        #expect(divided.lines.map { [UInt8]($0) } == expected)
        #expect(DataBuffer(text).lines.map { [UInt8]($0) } == expected)
        number += 1
      }
    }
  }

  /// A word over three bytes by its number, or `nil` behind the last one.
  private func word(_ number: Int, _ length: Int) -> [UInt8]? {
    var (rest, word) = (number, [UInt8]())
    for _ in 0..<length {
      word.append([65, 13, 10][rest % 3])
      rest /= 3
    }
    return rest == 0 ? word : nil
  }

  private func expectedLines(_ text: [UInt8]) -> [[UInt8]] {
    var lines = text.split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
    let last = lines.removeLast()
    lines = lines.map { $0.last == 13 ? $0.dropLast() : $0 }
    return last.isEmpty ? lines : lines + [last]
  }
}
