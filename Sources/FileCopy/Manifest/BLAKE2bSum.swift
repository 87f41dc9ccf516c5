import CIOChannelsBLAKE2

/// A BLAKE2b checksum, with 512 bits, of a sequence of bytes.
final class BLAKE2bSum {
  private var state = blake2b_state()

  /// Creates the checksum of an empty sequence.
  init() {
    _ = unsafe blake2b_init(&state, ChecksumAlgorithm.blake2b.byteCount)
  }

  /// Adds bytes.
  func add(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      _ = unsafe blake2b_update(&state, start, buffer.count)
    }
  }

  /// Returns the checksum. No bytes may be added afterwards.
  func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ChecksumAlgorithm.blake2b.byteCount)
    _ = unsafe blake2b_final(&state, &bytes, bytes.count)
    return bytes
  }
}
