@testable import DataRegions

/// Interprets a script as steps on a few buffers that share memory, and on arrays beside them.
struct BufferProgram {
  private static let valueCount = 4
  private static let byteLimit = 4_096

  var script: Script
  var buffers = [DataBuffer](repeating: .empty, count: valueCount)
  var models = [[UInt8]](repeating: [], count: valueCount)

  init(_ script: Script) {
    self.script = script
  }

  mutating func run() {
    while !script.isAtEnd {
      let changed = step()
      requireForm(changed)
      requireSame(script.number(upTo: Self.valueCount - 1))
    }
    for index in buffers.indices { requireSame(index) }
  }

  /// Does one step and returns the number of the value that it may have changed.
  private mutating func step() -> Int {
    let target = script.number(upTo: Self.valueCount - 1)
    let source = script.number(upTo: Self.valueCount - 1)
    switch script.number(upTo: 15) {
    case 0: appendRaw(target)
    case 1: appendPieces(target)
    case 2: showForeignMemory(target)
    case 3: fill(target)
    case 4: concatenate(target, source)
    case 5: take(target, source)
    case 6: glue(target, source)
    case 7: (buffers[target], models[target]) = (buffers[source], models[source])
    case 8: (buffers[target], models[target]) = (buffers[source].compacted(), models[source])
    case 9: buffers[target].makeContiguous()
    case 10: requireSearches(target)
    case 11: requireParts(target)
    case 12: requireLines(target)
    case 13: requireCodings(target)
    case 14: requireText(target)
    default: requireWalk(target)
    }
    return target
  }

  private mutating func set(_ target: Int, _ buffer: DataBuffer, _ model: [UInt8]) {
    buffers[target] = buffer
    models[target] = model
    // Concatenations double: without a limit a short script would fill the memory.
    if model.count > Self.byteLimit {
      buffers[target] = buffer.subdata(in: model.count - Self.byteLimit..<model.count)
      models[target] = Array(model.suffix(Self.byteLimit))
    }
  }

  private mutating func appendRaw(_ target: Int) {
    let bytes = script.bytes(upTo: 300)
    buffers[target].append(contentsOf: bytes)
    set(target, buffers[target], models[target] + bytes)
  }

  private mutating func appendPieces(_ target: Int) {
    let bytes = script.bytes(upTo: 100)
    for byte in bytes { buffers[target].append(DataBuffer(CollectionOfOne(byte))) }
    set(target, buffers[target], models[target] + bytes)
  }

  /// Prepends memory that must be given back: the leak check at the end counts on it.
  private mutating func showForeignMemory(_ target: Int) {
    let bytes = script.bytes(upTo: 40)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
    let piece = DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { UnsafeMutableRawBufferPointer(mutating: $0).deallocate() }
    )
    set(target, piece + buffers[target], bytes + models[target])
  }

  private mutating func fill(_ target: Int) {
    let bytes = script.bytes(upTo: 60)
    let capacity = bytes.count + script.number(upTo: 100)
    let buffer = DataBuffer(rawCapacity: capacity) { output in
      for byte in bytes { output.append(byte) }
    }
    set(target, buffer, bytes)
  }

  private mutating func concatenate(_ target: Int, _ source: Int) {
    set(target, buffers[target] + buffers[source], models[target] + models[source])
  }

  private mutating func take(_ target: Int, _ source: Int) {
    let range = script.range(in: models[source].count)
    let part = buffers[source].subdata(in: range)
    require(part == DataBuffer(buffers[source][range]), "a slice differs from a part")
    set(target, part, Array(models[source][range]))
  }

  /// Takes a range out of a value.
  private mutating func glue(_ target: Int, _ source: Int) {
    let range = script.range(in: models[source].count)
    let head = buffers[source].split(at: range.lowerBound).head
    let tail = buffers[source].split(at: range.upperBound).tail
    var rest = models[source]
    rest.removeSubrange(range)
    set(target, DataBuffer(concatenating: [head, tail]), rest)
  }
}
