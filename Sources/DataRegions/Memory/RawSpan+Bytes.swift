private import Glibc

extension RawSpan {
  /// Whether both hold the same bytes.
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

  /// Feeds the bytes into `hasher`.
  func hash(into hasher: inout Hasher) {
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies all of `bytes` to `offset`; they fit in.
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
