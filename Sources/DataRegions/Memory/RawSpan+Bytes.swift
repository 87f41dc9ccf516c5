private import Glibc

extension RawSpan {
  /// Returns whether both hold the same bytes.
  func holdsSameBytes(as other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        // A region is often compared with itself: buffers share regions.
        return unsafe first == second || memcmp(first, second, left.count) == 0
      }
    }
  }

  /// Returns the first offset of `byte` from `start` on, which is at most `byteCount`.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    let rest = extracting(start..<byteCount)
    return unsafe rest.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return nil }
      return unsafe memchr(first, Int32(byte), bytes.count)
        .map { unsafe start + ($0 - UnsafeMutableRawPointer(mutating: first)) }
    }
  }

  /// Feeds the bytes into `hasher`.
  func hash(into hasher: inout Hasher) {
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies all of `bytes` to `offset`; they fit.
  func copy(_ bytes: RawSpan, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count - bytes.byteCount,
      "Copied bytes lie inside their place."
    )
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(rebasing: self[offset...]).copyMemory(from: source)
    }
  }
}
