import IOChannelsTestSupport
import Testing

@testable import DataRegions

extension ModelProgram {
  /// Checks the form of a value, and single bytes and searches at random places.
  mutating func check(_ index: Int) {
    let (bytes, model) = (buffers[index], models[index])
    if case .tree(let tree) = bytes.storage {
      #expect(tree.brokenInvariant == nil, "seed \(random.seed)")
      #expect(tree.regionCount > 1, "seed \(random.seed)")
    }
    #expect(bytes.count == model.count, "seed \(random.seed)")
    guard !model.isEmpty else { return }
    let offset = random.number(in: 0..<model.count)
    #expect(bytes[offset] == model[offset], "seed \(random.seed)")
    let region = bytes.region(containing: offset)
    #expect(region.offset <= offset && offset < region.offset + region.count)
    #expect(region[offset - region.offset] == model[offset], "seed \(random.seed)")
    let same = bytes.regions[bytes.regions.index(containing: offset)]
    #expect(same.offset == region.offset && same.address == region.address)
    if random.chance(percent: 30) { search(bytes, model, from: offset) }
  }

  private mutating func search(_ bytes: DataBuffer, _ model: [UInt8], from offset: Int) {
    let byte = model[offset]
    #expect(bytes.firstIndex(of: byte) == model.firstIndex(of: byte), "seed \(random.seed)")
    #expect(bytes.lastIndex(of: byte) == model.lastIndex(of: byte), "seed \(random.seed)")
    let pattern = Array(model[offset...].prefix(random.number(in: 0..<6)))
    guard let found = bytes.firstRange(of: pattern) else {
      Issue.record("\(pattern) is there, seed \(random.seed)")
      return
    }
    #expect(found.upperBound <= offset + pattern.count, "seed \(random.seed)")
    #expect(Array(model[found]) == pattern, "seed \(random.seed)")
    let before = Array(model[..<(found.upperBound - (pattern.isEmpty ? 0 : 1))])
    let isFirst = pattern.isEmpty || naiveRanges(of: pattern, in: before).isEmpty
    #expect(isFirst, "seed \(random.seed)")
    let last = naiveRanges(of: pattern, in: Array(model.suffix(100))).last?.upperBound
    let expected = last.map { model.count - min(100, model.count) + $0 }
    guard let expected else { return }
    #expect(bytes.lastRange(of: pattern)?.upperBound == expected, "seed \(random.seed)")
  }

  /// Compares all bytes of a value.
  mutating func compare(_ index: Int) {
    let isSame = [UInt8](buffers[index]) == models[index]
    #expect(isSame, "seed \(random.seed)")
  }

  /// Compares a value in every way there is.
  mutating func compareAll(_ index: Int) {
    let (bytes, model) = (buffers[index], models[index])
    #expect([UInt8](bytes) == model, "seed \(random.seed)")
    #expect(bytes.elementsEqual(model), "seed \(random.seed)")
    #expect(bytes.regions.flatMap { [UInt8]($0) } == model, "seed \(random.seed)")
    let flat = DataBuffer(model)
    #expect(bytes == flat && flat == bytes, "seed \(random.seed)")
    #expect(bytes.hashValue == flat.hashValue, "seed \(random.seed)")
    let range = anyRange(model.count)
    #expect(
      bytes.copied(room: range.count, from: range).bytes == Array(model[range]),
      "seed \(random.seed)"
    )
    let lines = bytes.lines.reduce(0) { $0 + $1.count }
    #expect(lines == flat.lines.reduce(0) { $0 + $1.count }, "seed \(random.seed)")
    if !model.isEmpty {
      var other = model
      other[random.number(in: 0..<model.count)] ^= 1
      #expect(bytes != DataBuffer(other), "seed \(random.seed)")
    }
  }
}
