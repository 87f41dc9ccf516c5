@testable import DataRegions

extension BufferProgram {
  /// A tree has the form that bounds its height, and compacting bounds what is kept.
  func requireForm(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    require(buffer.count == model.count, "\(buffer.count) bytes instead of \(model.count)")
    if case .tree(let tree) = buffer.storage {
      require(tree.brokenInvariant == nil, tree.brokenInvariant ?? "")
      require(tree.regionCount > 1, "a tree of one region")
    }
  }

  func requireSame(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    require([UInt8](buffer) == model, "other bytes than those of the array")
    let flat = DataBuffer(model)
    require(buffer == flat && buffer.hashValue == flat.hashValue, "unlike the flat buffer")
  }

  /// Regions come in order without gaps, and are found by any of their offsets.
  mutating func requireWalk(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    var end = 0
    for (number, region) in buffer.regions.enumerated() {
      require(region.offset == end && region.count > 0, "a gap between regions")
      end += region.count
      require(Array(region) == Array(model[region.offset..<end]), "other bytes in a region")
      require(buffer.regions.index(containing: end - 1) == number, "another region's number")
    }
    require(end == model.count, "the regions end early")
    guard !model.isEmpty else { return }
    let offset = script.number(upTo: model.count - 1)
    require(buffer[offset] == model[offset], "another byte at an offset")
    let region = buffer.region(containing: offset)
    require(region[offset - region.offset] == model[offset], "another region at an offset")
  }

  mutating func requireSearches(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    let byte = script.byte()
    require(buffer.firstIndex(of: byte) == model.firstIndex(of: byte), "another first byte")
    require(buffer.lastIndex(of: byte) == model.lastIndex(of: byte), "another last byte")
    // What is there is more likely to be found almost, and a few times.
    let offset = script.number(upTo: model.count)
    let taken = Array(model[offset...].prefix(script.number(upTo: 6)))
    let pattern = script.number(upTo: 3) == 0 ? script.bytes(upTo: 5) : taken
    let range = script.range(in: model.count)
    let naive = range.first { start in
      start + pattern.count <= range.upperBound && model[start...].starts(with: pattern)
    }
    let wanted = pattern.isEmpty ? range.lowerBound : naive
    let found = buffer.firstRange(of: pattern, in: range)
    require(found == wanted.map { $0..<$0 + pattern.count }, "another place of \(pattern)")
  }

  mutating func requireParts(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    let separator = script.byte()
    let (most, omits) = (script.number(upTo: 5), script.byte() & 1 == 0)
    let parts = buffer.split(
      separator: separator,
      maxSplits: most,
      omittingEmptySubsequences: omits
    )
    let wanted = model.split(
      separator: separator,
      maxSplits: most,
      omittingEmptySubsequences: omits
    )
    require(parts.map { Array($0) } == wanted.map { Array($0) }, "other parts")
    let long = [separator, script.byte()]
    let pieces = buffer.split(separator: long, omittingEmptySubsequences: false)
    require(Array(pieces.map { [UInt8]($0) }.joined(separator: long)) == model, "lost parts")
  }

  func requireLines(_ index: Int) {
    let (buffer, model) = (buffers[index], models[index])
    var lines = model.split(separator: 0x0a, omittingEmptySubsequences: false).map { Array($0) }
    let last = lines.removeLast()
    lines = lines.map { $0.last == 0x0d ? $0.dropLast() : $0 }
    if !last.isEmpty { lines.append(last) }
    require(buffer.lines.map { [UInt8]($0) } == lines, "other lines")
  }
}
