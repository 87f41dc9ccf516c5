import Foundation

/// The floor for writing: `pwrite` in a loop.
enum PlainWrite {
  /// Writes steps of 1 MiB in order, out of one buffer of the size that the others hand over.
  static func stream(_ descriptor: Int32, _ bytes: [UInt8], count: Int) throws -> Int {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < count {
        let start = written % bytes.count
        let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + (1 << 20)])
        let result = pwrite(descriptor, part.baseAddress, part.count, off_t(written))
        if result <= 0 { break }
        written += result
      }
      return written
    }
  }

  /// Writes blocks all over a file, one after the other.
  static func random(_ descriptor: Int32, _ bytes: [UInt8], count: Int) throws -> Int {
    let blocks = count / bytes.count
    return bytes.withUnsafeBytes { bytes in
      var written = 0
      for index in 0..<blocks {
        let offset = StreamWrite.offset(of: index, blocks: blocks)
        let result = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        if result <= 0 { break }
        written += result
      }
      return written
    }
  }
}
