import IOChannels

/// A buffer of two regions.
private let regions = DataBuffer([1, 2]) + DataBuffer([3])
private let bytes = DataBuffer([1, 2, 3])

private let outside = "The offset lies inside the buffer."
private let rangeOutside = "The range lies inside the buffer."
private let sum = "The number of bytes of a concatenation fits in Int."

/// As many bytes as `Int` counts, of one byte in memory.
private func hugeBuffer() -> DataBuffer {
  var whole = DataBuffer([1])
  var power = whole
  for _ in 0..<62 {
    power += power
    whole += power
  }
  return whole
}

extension Misuse {
  /// Offsets, ranges and numbers of buffers.
  static let buffers: [Misuse] = [
    .call("byte-behind", outside, "S50") { _ = bytes[3] },
    .call("byte-before", outside, "S50") { _ = regions[-1] },
    .call("byte-of-nothing", outside, "S50") { _ = DataBuffer()[0] },
    .call("byte-of-region", "A position lies inside its region.", "S50") {
      _ = regions.regions[0][2]
    },
    .call("byte-of-slice", "The offset lies inside the slice.", "S50") { _ = bytes[1...][0] },
    .call("byte-behind-slice", "The offset lies inside the slice.", "S50") { _ = bytes[..<2][2] },
    .call("range-behind", rangeOutside, "S50") { _ = bytes.subdata(in: 1..<4) },
    .call("range-before", rangeOutside, "S50") { _ = bytes.subdata(in: -1..<1) },
    .call("empty-range", rangeOutside, "S50") { _ = bytes.subdata(in: 4..<4) },
    .call("slice-behind", rangeOutside, "S50") { _ = bytes[1..<4] },
    .call("standard-slice-behind", rangeOutside, "S50") {
      _ = bytes[1..<4] as Slice<DataBuffer>
    },
    .call("slice-of-slice", "The range lies inside the slice.", "S50") { _ = bytes[..<2][1..<3] },
    .call("split-at", outside, "S50") { _ = bytes.split(at: 4) },
    .call("region-of", outside, "S50") { _ = regions.region(containing: 3) },
    .call("region-at", outside, "S50") { _ = regions.region(location: 3) },
    .call("region-number-of", outside, "S50") { _ = regions.regions.index(containing: 3) },
    .call("region-number", "The region's number is in bounds.", "S50") { _ = regions.regions[2] },
    .call("range-of-region", "The range lies inside the region.", "S50") {
      _ = regions.regions[0][1..<3]
    },
    .call("regions-numbers", "The range of regions' numbers is in bounds.", "S50") {
      _ = regions.regions[1..<3]
    },
    .call("search-first", rangeOutside, "S50") { _ = bytes.firstIndex(of: 1, in: 2..<4) },
    .call("search-last", rangeOutside, "S50") { _ = bytes.lastIndex(of: 1, in: 2..<4) },
    .call("search-range", rangeOutside, "S50") { _ = bytes.firstRange(of: [1], in: -1..<2) },
    .call("search-last-range", rangeOutside, "S50") { _ = bytes.lastRange(of: [], in: 4..<5) },
    .call("search-ranges", rangeOutside, "S50") { _ = bytes.ranges(of: [], in: -1..<2) },
    .call("copy-into-span", "The span has no room for the buffer.", "S50") {
      _ = DataBuffer(rawCapacity: 2) { bytes.copyBytes(appendingTo: &$0) }
    },
    .call("capacity", "The capacity of a buffer is not negative.", "S173") {
      _ = DataBuffer(rawCapacity: -1) { _ in }
    },
    .call("separator", "A separator has at least one byte.", "S53") {
      _ = bytes.split(separator: [])
    },
    .call("splits", "The number of splits is not negative.", "S173") {
      _ = bytes.split(separator: 1, maxSplits: -1)
    },
    .call("splits-of-several", "The number of splits is not negative.", "S173") {
      _ = bytes.split(separator: [1, 2], maxSplits: -1)
    },
    .call("sum", sum, "S173") { _ = hugeBuffer() + bytes },
    .call("symbols", "The number of symbols of a coding fits in Int.", "S173") {
      _ = hugeBuffer().encoded(as: .base32)
    },
    .call("descriptor", "A descriptor's number is not negative.", "S173") {
      _ = OwnedDescriptor(owning: -1)
    },
  ]
}
