import DataRegionsFoundation
import IOChannelsTestSupport
import Testing

@Suite("Buffers as DataProtocol")
struct DataProtocolTests {
  private func regions(of data: some DataProtocol) -> [[UInt8]] {
    data.regions.map { [UInt8]($0) }
  }

  private func shown(_ bytes: some ContiguousBytes) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  /// Random bytes of a small alphabet, so that searches find something, as one and in regions.
  private func randomBytes(
    _ random: inout SeededGenerator
  ) -> (bytes: [UInt8], parts: DataBuffer) {
    var parts: [[UInt8]] = []
    for _ in 0..<random.number(in: 0..<6) {
      parts.append(random.bytes(random.number(in: 0..<8)).map { $0 % 2 })
    }
    return (parts.flatMap { $0 }, buffer(parts))
  }

  private func anyRange(_ count: Int, _ random: inout SeededGenerator) -> Range<Int> {
    let ends = [random.number(in: 0..<count + 1), random.number(in: 0..<count + 1)].sorted()
    return ends[0]..<ends[1]
  }

  @Test("Regions are shown one by one")
  func regionsAreShownOneByOne() {
    let parts: [[UInt8]] = [[0, 1, 2], [3], [4, 5]]
    #expect(regions(of: buffer(parts)) == parts)
    #expect(regions(of: buffer(parts).regions[0]) == [[0, 1, 2]])
    #expect(regions(of: buffer(parts)[1..<5]) == [[1, 2], [3], [4]])
    #expect(buffer(parts).regions.map { shown($0) } == parts)
    #expect(shown(buffer(parts).regions[0][1..<3]) == [1, 2])
  }

  @Test("A Data is created from a buffer")
  func aDataTakesABuffer() {
    var data = Data([9])
    data.append(contentsOf: buffer([[1, 2], [3]]))
    data.replaceSubrange(0..<1, with: buffer([[7], [8]]))
    #expect(data == Data([7, 8, 1, 2, 3]))
    #expect(Data(buffer([[1, 2], [3]])[1..<3]) == Data([2, 3]))
  }

  @Test("Copies are the same as those of a Data")
  func copiesAreThoseOfAData() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 20_000) {
      let (bytes, parts) = randomBytes(&random)
      let range = anyRange(bytes.count, &random)
      let room = random.number(in: 0..<12)
      let expected = copies(of: Data(bytes), room: room, from: range)
      let seed: Comment = "seed \(random.seed)"
      #expect(copies(of: parts, room: room, from: range) == expected, seed)
      #expect(ownCopies(of: parts, room: room, from: range) == expected, seed)
      let part = 0..<range.count / 2
      let slice = copies(of: parts[range], room: room, from: part)
      #expect(slice == copies(of: Data(bytes[range]), room: room, from: part), seed)
    }
  }

  /// The ranges inside `range` that hold the wanted bytes, the simple way.
  private func occurrences(of wanted: [UInt8], in range: Range<Int>, of bytes: [UInt8])
    -> [Range<Int>]
  {
    let starts = (range.lowerBound...range.upperBound).filter {
      $0 + wanted.count <= range.upperBound
    }
    return starts.map { $0..<$0 + wanted.count }.filter { Array(bytes[$0]) == wanted }
  }

  private func check(_ random: inout SeededGenerator) {
    let (bytes, parts) = randomBytes(&random)
    let range = anyRange(bytes.count, &random)
    let wanted = random.bytes(random.number(in: 0..<7)).map { $0 % 2 }
    let all = occurrences(of: wanted, in: 0..<bytes.count, of: bytes)
    let some = occurrences(of: wanted, in: range, of: bytes)
    let rest = occurrences(of: wanted, in: range.lowerBound..<bytes.count, of: bytes)
    let seed: Comment = "seed \(random.seed)"
    #expect(first(of: Data(wanted), in: parts) == all.first, seed)
    #expect(last(of: wanted, in: parts) == all.last, seed)
    #expect(parts.firstRange(of: wanted, in: range) == some.first, seed)
    #expect(parts.firstRange(of: DataBuffer(wanted), in: range) == some.first, seed)
    #expect(parts.lastRange(of: Data(wanted), in: range) == some.last, seed)
    #expect(parts.lastRange(of: wanted, in: range) == some.last, seed)
    #expect(parts.lastRange(of: wanted) == all.last, seed)
    #expect(parts.lastRange(of: wanted, in: range.lowerBound...) == rest.last, seed)
    #expect(parts.firstRange(of: wanted) == all.first, seed)
    #expect(parts.firstRange(of: Data(wanted)) == all.first, seed)
    #expect(parts.firstRange(of: DataBuffer(wanted)) == all.first, seed)
    #expect(parts.firstRange(of: wanted, in: range.lowerBound...) == rest.first, seed)
    #expect(parts.lastRange(of: Data(wanted)) == all.last, seed)
    check(parts[range], against: bytes, wanted, some, seed)
    guard let region = DataBuffer(bytes).regions.first else { return }
    #expect(first(of: wanted, in: region) == all.first, seed)
    #expect(last(of: Data(wanted), in: region) == all.last, seed)
  }

  private func check(
    _ slice: DataBuffer.Slice,
    against bytes: [UInt8],
    _ wanted: [UInt8],
    _ places: [Range<Int>],
    _ seed: Comment
  ) {
    #expect(first(of: wanted, in: slice) == places.first, seed)
    #expect(last(of: wanted, in: slice) == places.last, seed)
    #expect(slice.firstRange(of: wanted) == places.first, seed)
    #expect(slice.firstRange(of: Data(wanted)) == places.first, seed)
    #expect(slice.lastRange(of: wanted) == places.last, seed)
    #expect(slice.lastRange(of: DataBuffer(wanted)) == places.last, seed)
    let rest = slice.startIndex + slice.count / 2
    let inRest = places.filter { $0.lowerBound >= rest }
    #expect(slice.firstRange(of: wanted, in: rest...) == inRest.first, seed)
    #expect(slice.lastRange(of: Data(wanted), in: rest..<slice.endIndex) == inRest.last, seed)
  }

  private func first<Bytes: DataProtocol>(of wanted: some DataProtocol, in data: Bytes)
    -> Range<Bytes.Index>?
  {
    data.firstRange(of: wanted)
  }

  private func last<Bytes: DataProtocol>(of wanted: some DataProtocol, in data: Bytes)
    -> Range<Bytes.Index>?
  {
    data.lastRange(of: wanted)
  }

  @Test("Searches find the first and the last")
  func searchesFindTheFirstAndTheLast() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 500, full: 20_000) { check(&random) }
  }
}
