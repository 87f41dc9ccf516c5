import DataRegions
import IOChannelsTestSupport

/// A buffer for each way to divide bytes into regions; for few bytes, as every byte doubles them.
func everyDivision(of bytes: [UInt8]) -> [DataBuffer] {
  (0..<1 << max(0, bytes.count - 1)).map { cuts in
    var whole = DataBuffer()
    var part: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      part.append(byte)
      if index == bytes.count - 1 || cuts & 1 << index != 0 {
        whole.append(DataBuffer(part))
        part = []
      }
    }
    return whole
  }
}

extension SeededGenerator {
  /// The bytes in regions of random sizes.
  mutating func divided(_ bytes: [UInt8], longest: Int) -> DataBuffer {
    parts(of: bytes, longest: longest).reduce(into: DataBuffer()) { $0.append(DataBuffer($1)) }
  }

  /// The bytes in parts of random sizes, some of which are empty.
  mutating func parts(of bytes: [UInt8], longest: Int) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + number(in: 0..<longest + 1))
      parts.append(Array(bytes[start..<end]))
      start = end
    }
    return parts
  }
}

/// The error of a format that a function throws, or `nil`.
func formatError(_ body: () throws -> Void) -> DataFormatError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DataFormatError
  }
}
