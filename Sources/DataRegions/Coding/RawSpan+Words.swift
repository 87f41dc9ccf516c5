extension RawSpan {
  /// Returns eight bytes from `offset` on, the first one in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Every pattern of bits is a number, and the call checks its bounds.
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension OutputRawSpan {
  /// Appends the lowest `count` bytes of a word, the lowest one first.
  @inline(__always)
  mutating func append(_ word: UInt64, byteCount count: Int) {
    precondition(count >= 0 && count <= 8, "A word has eight bytes.")
    guard freeCapacity >= 8 else { return appendOneByOne(word, count) }
    unsafe withUnsafeMutableBytes { bytes, filled in
      unsafe bytes.storeBytes(of: word.littleEndian, toByteOffset: filled, as: UInt64.self)
      filled += count
    }
  }

  private mutating func appendOneByOne(_ word: UInt64, _ count: Int) {
    for index in 0..<count {
      append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
    }
  }
}
