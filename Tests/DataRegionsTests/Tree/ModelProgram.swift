import IOChannelsTestSupport
import Testing

@testable import DataRegions

/// A random program on a few buffers that share their memory, and on arrays of bytes beside them.
struct ModelProgram {
  static let valueCount = 4
  static let byteLimit = 3_000

  var random: SeededGenerator
  let mask: UInt8
  var buffers = [DataBuffer](repeating: .empty, count: valueCount)
  var models = [[UInt8]](repeating: [], count: valueCount)

  init(random: SeededGenerator, mask: UInt8) {
    self.random = random
    self.mask = mask
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      let changed = step()
      check(changed)
      // What a step did to one value must not show in another.
      compare(anyValue())
    }
    for index in buffers.indices { compareAll(index) }
  }

  mutating func anyValue() -> Int { random.number(in: 0..<Self.valueCount) }

  mutating func anyRange(_ count: Int) -> Range<Int> {
    let ends = [random.number(in: 0..<count + 1), random.number(in: 0..<count + 1)].sorted()
    return ends[0]..<ends[1]
  }

  mutating func anyBytes(_ count: Range<Int>) -> [UInt8] {
    random.bytes(random.number(in: count)).map { $0 & mask }
  }

  /// Changes one value and returns its number.
  private mutating func step() -> Int {
    let (target, source) = (anyValue(), anyValue())
    switch random.number(in: 0..<20) {
    case 0...2: appendPieces(target)
    case 3...6: appendRaw(target)
    case 7: prependPiece(target)
    case 8, 9: concatenate(target, source)
    case 10...12: cut(target, source)
    case 13: glue(target, source)
    case 14, 15: (buffers[target], models[target]) = (buffers[source], models[source])
    case 16: buffers[target] = compacted(source, into: target)
    case 17: makeContiguous(target)
    case 18: splitAndJoin(target, source)
    default: fill(target)
    }
    return target
  }

  private mutating func appendPieces(_ target: Int) {
    for _ in 0..<random.number(in: 1..<80) {
      let bytes = anyBytes(0..<4)
      buffers[target].append(DataBuffer(bytes))
      models[target] += bytes
    }
  }

  private mutating func appendRaw(_ target: Int) {
    for _ in 0..<random.number(in: 1..<6) {
      let bytes = anyBytes(0..<60)
      switch random.number(in: 0..<3) {
      case 0: buffers[target].append(spanOf: bytes)
      case 1: buffers[target].append(pointerTo: bytes)
      default: buffers[target].append(contentsOf: bytes)
      }
      models[target] += bytes
    }
  }

  private mutating func prependPiece(_ target: Int) {
    let bytes = anyBytes(0..<4)
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
    let takesSlice = random.chance(percent: 50)
    buffers[target] =
      takesSlice ? DataBuffer(buffers[source][range]) : buffers[source].subdata(in: range)
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

  private mutating func compacted(_ source: Int, into target: Int) -> DataBuffer {
    models[target] = models[source]
    let compact = buffers[source].compacted()
    #expect(compact.keptByteCount <= 2 * compact.count, "seed \(random.seed)")
    return compact
  }

  private mutating func makeContiguous(_ target: Int) {
    buffers[target].makeContiguous()
    #expect(buffers[target].regions.count <= 1, "seed \(random.seed)")
  }

  private mutating func splitAndJoin(_ target: Int, _ source: Int) {
    let separator = anyBytes(1..<3)
    let parts = buffers[source].split(separator: separator, omittingEmptySubsequences: false)
    let joined = parts.map { [UInt8]($0) }.joined(separator: separator)
    #expect(Array(joined) == models[source], "seed \(random.seed)")
    buffers[target] = DataBuffer(concatenating: parts)
    models[target] = parts.flatMap { [UInt8]($0) }
  }

  private mutating func fill(_ target: Int) {
    let bytes = anyBytes(0..<40)
    let capacity = bytes.count + random.number(in: 0..<100)
    buffers[target] = DataBuffer(rawCapacity: capacity) { span in
      for byte in bytes { span.append(byte) }
    }
    models[target] = bytes
  }
}
