import CIOChannelsCrypto

/// A SHA-256 checksum of a sequence of bytes.
final class SHA256Sum {
  private var state = SHA256_CTX()

  /// Creates the checksum of an empty sequence.
  init() {
    _ = unsafe SHA256_Init(&state)
  }

  /// Adds bytes.
  func add(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe SHA256_Update(&state, buffer.baseAddress, buffer.count)
    }
  }

  /// Returns the checksum. No bytes may be added afterwards.
  func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ChecksumAlgorithm.sha256.byteCount)
    _ = unsafe SHA256_Final(&bytes, &state)
    return bytes
  }
}
