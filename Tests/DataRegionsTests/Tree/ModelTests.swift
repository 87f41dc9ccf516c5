import TestSupport
import Testing

@testable import DataRegions

/// Random programs on buffers and on arrays of bytes that must end alike.
@Suite struct ModelTests {
  @Test func randomProgramsMatchArrays() {
    var random = SeededGenerator()
    for _ in 0..<Tier.count(quick: 1_000, full: 20_000) {
      var program = Program(random: SeededGenerator(seed: random.next()))
      program.run(steps: 30)
    }
  }
}

private struct Program {
  private static let valueCount = 4
  private static let byteLimit = 3_000

  var random: SeededGenerator
  private var buffers = [DataBuffer](repeating: .empty, count: valueCount)
  private var models = [[UInt8]](repeating: [], count: valueCount)

  init(random: SeededGenerator) {
    self.random = random
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      let changed = step()
      check(changed)
    }
    for index in buffers.indices { compareAll(index) }
  }

  private mutating func anyValue() -> Int { random.number(in: 0..<Self.valueCount) }

  private mutating func anyRange(_ count: Int) -> Range<Int> {
    let ends = [random.number(in: 0..<count + 1), random.number(in: 0..<count + 1)].sorted()
    return ends[0]..<ends[1]
  }

  /// Changes one value and returns its number.
  private mutating func step() -> Int {
    let (target, source) = (anyValue(), anyValue())
    switch random.number(in: 0..<10) {
    case 0...3: appendPieces(target)
    case 4: prependPiece(target)
    case 5, 6: concatenate(target, source)
    case 7, 8: cut(target, source)
    default: glue(target, source)
    }
    return target
  }

  private mutating func appendPieces(_ target: Int) {
    for _ in 0..<random.number(in: 1..<80) {
      let bytes = random.bytes(random.number(in: 0..<4))
      buffers[target].append(DataBuffer(bytes))
      models[target] += bytes
    }
  }

  private mutating func prependPiece(_ target: Int) {
    let bytes = random.bytes(random.number(in: 0..<4))
    buffers[target] = DataBuffer(bytes) + buffers[target]
    models[target] = bytes + models[target]
  }

  private mutating func concatenate(_ target: Int, _ source: Int) {
    if models[target].count + models[source].count > Self.byteLimit { return cut(target, target) }
    buffers[target] += buffers[source]
    models[target] += models[source]
  }

  private mutating func cut(_ target: Int, _ source: Int) {
    let range = anyRange(models[source].count)
    buffers[target] = buffers[source].subdata(in: range)
    models[target] = Array(models[source][range])
  }

  /// Takes a range out of a value.
  private mutating func glue(_ target: Int, _ source: Int) {
    let range = anyRange(models[source].count)
    let head = buffers[source].split(at: range.lowerBound).head
    let tail = buffers[source].split(at: range.upperBound).tail
    buffers[target] = head + tail
    models[target] = Array(
      models[source][..<range.lowerBound] + models[source][range.upperBound...]
    )
  }

  private mutating func check(_ index: Int) {
    let (bytes, model) = (buffers[index], models[index])
    if case .tree(let tree) = bytes.storage {
      #expect(tree.brokenInvariant == nil, "seed \(random.seed)")
      #expect(tree.regionCount > 1, "seed \(random.seed)")
    }
    #expect(bytes.count == model.count, "seed \(random.seed)")
    guard !model.isEmpty else { return }
    let offset = random.number(in: 0..<model.count)
    #expect(bytes[offset] == model[offset], "seed \(random.seed)")
    let region = bytes.regions[bytes.regions.index(containing: offset)]
    #expect(region.offset <= offset && offset < region.offset + region.count)
    #expect(region[offset - region.offset] == model[offset], "seed \(random.seed)")
  }

  private mutating func compareAll(_ index: Int) {
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
    if !model.isEmpty {
      var other = model
      other[random.number(in: 0..<model.count)] ^= 1
      #expect(bytes != DataBuffer(other), "seed \(random.seed)")
    }
  }
}
